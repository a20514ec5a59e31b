import { setTimeout as sleep } from "node:timers/promises";
import type { Run, StoreItem, Thread, Values } from "../../answers";
import { processesIn } from "../../rollout/processes";
import { Repository, temporaryFolder } from "../../rollout/repository";
import { type ControlPlane, startControlPlane } from "../../../../emulator/index";
import { Client, type Answer } from "../../control-plane/client";
import { saying, versatileAgent } from "../agent";
import { controlPlaneClient, deploy, revise, until } from "../deployment";

const state = temporaryFolder("state");
const repository = new Repository(versatileAgent());
let plane: ControlPlane;
let url: string;
let client: Client;
beforeAll(async () => {
  plane = await startControlPlane({ rollout: "real", state });
  url = await deploy(plane, repository);
  client = new Client(url, { "X-Api-Key": plane.apiKey });
});
afterAll(() => plane.close());

test("loses no writes and returns no errors during the change to a new revision", async () => {
  const threads: string[] = [];
  const failed: Answer[] = [];
  let over = false;
  const write = async (writer: number): Promise<void> => {
    for (let round = 0; !over; round++) {
      const item = { namespace: ["load", `${writer}`], key: `${round}`, value: { round } };
      const put = await client.send("PUT", "/store/items", item);
      const made = await client.post<Thread>("/threads", { metadata: { load: "1" } });
      if (put.status !== 204) failed.push(put);
      if (made.status === 200) threads.push(made.body.thread_id);
      else failed.push(made);
      const found = await client.get<StoreItem>(`/store/items?namespace=load.${writer}&key=${round}`);
      if (found.body?.value?.round !== round) failed.push(found);
      await sleep(10);
    }
  };
  const writers = [1, 2, 3].map(write);
  repository.commit(versatileAgent("two"));
  await revise(plane, url);
  await until(
    () => client.post<Values>("/runs/wait", saying("version")),
    ({ body }) => body.messages.at(-1)!.content === "two",
  );
  over = true;
  await Promise.all(writers);
  expect(failed).toEqual([]);
  expect((await client.post("/threads/count", { metadata: { load: "1" } })).body).toBe(threads.length);
});

test("keeps the data and the previous agent when a rollout fails", async () => {
  const { thread_id: thread } = (await client.post<Thread>("/threads")).body;
  repository.commit({ "src/agent.ts": "throw new Error('broken')" });
  await expect(revise(plane, url)).rejects.toThrow("DEPLOY_FAILED");
  expect((await client.get(`/threads/${thread}`)).status).toBe(200);
  expect((await client.post<Values>("/runs/wait", saying("version"))).body.messages.at(-1)!.content).toBe(
    "two",
  );
});

test("restarts a killed agent with its data", async () => {
  const { thread_id: thread } = (await client.post<Thread>("/threads")).body;
  await client.post(`/threads/${thread}/runs/wait`, saying("hi"));
  await client.post(`/threads/${thread}/runs`, saying("endlessly"));
  await until(
    () => client.get<Run[]>(`/threads/${thread}/runs`),
    ({ body }) => body[0]!.status === "running",
  );
  for (const pid of processesIn(state)) process.kill(pid, "SIGKILL");
  await until(
    () => client.get("/ok"),
    ({ status }) => status !== 200,
  );
  await until(
    () => client.get("/ok"),
    ({ status }) => status === 200,
  );
  const runs = (await client.get<Run[]>(`/threads/${thread}/runs`)).body;
  expect(runs.map(({ status }) => status)).toEqual(["error", "success"]);
  const { body } = await client.post<Values>(`/threads/${thread}/runs/wait`, saying("again"));
  expect(body.messages.at(1)!.content).toBe("heard hi");
  expect(body.messages.at(-1)!.content).toBe("heard again");
});

test("deletes the data with its deployment", async () => {
  await client.post("/runs/crons", { ...saying("tick"), schedule: "* * * * *" });
  const id = url.split("/").at(-1)!;
  expect((await controlPlaneClient(plane).delete(`/v2/deployments/${id}`)).status).toBe(204);
  expect((await client.get("/ok")).status).toBe(404);
  expect(processesIn(state)).toEqual([]);
});
