import { recordFigures } from "../figures";
import { oddities } from "./oddities";
import { HostileResource } from "./resource";
import { HostileServer, type Endpoint } from "./server";

jest.setTimeout(120_000);

/** Endpoints that each call reaches. */
const calls: Record<"create" | "update" | "read" | "delete", Endpoint[]> = {
  create: ["description", "list", "create", "read", "revision"],
  update: ["read", "patch", "revision"],
  read: ["read", "revision"],
  delete: ["read", "delete"],
};
const counted = { cases: 0, hangs: 0, lostIds: 0 };

afterAll(() =>
  recordFigures("hostile", {
    "hostile answers": counted.cases,
    hangs: counted.hangs,
    "lost deployments": counted.lostIds,
  }),
);

describe.each(Object.keys(oddities))("%s", (what) => {
  test.each(Object.keys(calls) as (keyof typeof calls)[])(
    "ends every %s in time, with a clear word, and loses nothing",
    async (call) => {
      for (const endpoint of calls[call]) {
        const server = await HostileServer.start();
        server.exists = call !== "create";
        server.odd[endpoint] = oddities[what];
        const resource = new HostileResource(server, { answerTimeoutMs: 250 });
        counted.cases += 1;
        counted.hangs += 1;
        const { failure, id } = await resource[call]();
        counted.hangs -= 1;
        if (failure && !failure.reasons)
          expect(failure.message).toMatch(/(GET|POST|PATCH|DELETE) \/|[Dd]eployment/);
        // Once the POST was answered properly, the deployment is the resource's for good.
        if (call === "create" && (endpoint === "read" || endpoint === "revision")) {
          if (id !== "d1") counted.lostIds += 1;
          expect(id).toBe("d1");
        }
        expect(server.requests.length).toBeLessThan(250);
        expect(server.requests.filter((request) => request.startsWith("POST")).length).toBeLessThan(5);
        await server.close().catch(() => {});
      }
    },
  );
});
