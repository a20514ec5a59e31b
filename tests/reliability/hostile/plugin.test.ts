import { usePlugin } from "../../provider/hosts/plugin/plugin-provider";
import { callWithAnswer, cases } from "./content-calls";
import { oddities } from "./oddities";
import { callsAndEndpoints, HostileResource } from "./resource";
import { HostileServer } from "./server";

usePlugin();

/** Names of selected responses: errors, values that the host must not pass on, and a missing response. */
const selected = [
  "a page with 502",
  "wrong types",
  "an ID with control characters",
  "a connection that closes",
];

test.each(callsAndEndpoints)(
  "reports a clear error, and loses nothing (%s operation, %s endpoint)",
  async (call, endpoint) => {
    // The host must shorten the rejection of 1 MB.
    for (const name of [...selected, "a rejection of 1 MB"]) {
      const server = await HostileServer.start();
      server.exists = call !== "create";
      server.odd[endpoint] = oddities[name];
      const { id } = await new HostileResource(server)[call]();
      // After a valid response to the POST, the resource owns the deployment permanently.
      if (call === "create" && (endpoint === "read" || endpoint === "revision"))
        expect([name, id]).toEqual([name, "d1"]);
      await server.close().catch(() => {});
    }
  },
);

test.each(cases)("reports a clear error (%s, %s) for any response from %s", async (kind, what, endpoint) => {
  for (const name of selected)
    expect(await callWithAnswer(kind, what, endpoint, oddities[name])).toContain(endpoint);
});
