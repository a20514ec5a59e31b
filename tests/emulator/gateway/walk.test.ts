import { exceptions, noting, unvisited } from "./visits";
import { officialClient } from "./walk";

test("a walk leaves out one method of the official client, which is refused", () => {
  expect(Object.keys(exceptions)).toEqual(["threads.patchState"]);
});

test("a method that nobody called is reported", () => {
  const client = officialClient("http://127.0.0.1:1", { apiKey: "key" });
  const { client: watched, visited } = noting(client);
  watched.threads.get("x").catch(() => undefined);
  watched.runs.wait(null, "agent").catch(() => undefined);
  const left = unvisited(client, visited);
  expect(left).toEqual(expect.arrayContaining(["threads.search", "runs.wait", "store.putItem"]));
  for (const visit of ["threads.get", "runs.wait without a thread"]) expect(left).not.toContain(visit);
});
