import { exceptions, noting, unvisited } from "./visits";
import { officialClient } from "./walk";

test("omits only the client method that the server does not support", () => {
  expect(Object.keys(exceptions)).toEqual(["threads.patchState"]);
});

test("reports a method that was not called", () => {
  const client = officialClient("http://127.0.0.1:1", { apiKey: "key" });
  const { client: watched, visited } = noting(client);
  watched.threads.get("x").catch(() => undefined);
  watched.runs.wait(null, "agent").catch(() => undefined);
  const left = unvisited(client, visited);
  expect(left).toEqual(expect.arrayContaining(["threads.search", "runs.wait", "store.putItem"]));
  for (const visit of ["threads.get", "runs.wait without a thread"]) expect(left).not.toContain(visit);
});
