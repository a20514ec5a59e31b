import { runDeployment } from "./deployment";
import { exceptions, noting, unvisited } from "./visits";
import { officialClient, walk } from "./walk";

test("a walk leaves no method of the official client out but the named ones, which are refused", async () => {
  const { plane, url } = await runDeployment();
  const client = officialClient(url, plane);
  await walk(client);
  expect(Object.keys(exceptions)).toEqual(["threads.patchState"]);
  const { thread_id: id } = await client.threads.create();
  await expect(client.threads.patchState(id, { a: 1 })).rejects.toMatchObject({ status: 405 });
}, 90_000);

test("a method that nobody called is told", () => {
  const client = officialClient("http://127.0.0.1:1", { apiKey: "key" });
  const { client: watched, visited } = noting(client);
  watched.threads.get("x").catch(() => undefined);
  watched.runs.wait(null, "agent").catch(() => undefined);
  const left = unvisited(client, visited);
  expect(left).toEqual(expect.arrayContaining(["threads.search", "runs.wait", "store.putItem"]));
  for (const visit of ["threads.get", "runs.wait without a thread"]) expect(left).not.toContain(visit);
});
