import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { allGone } from "../rollout/processes";
import { Repository, temporaryFolder } from "../rollout/repository";
import { versatileAgent } from "./agent";
import { deploy, revise, type Served } from "./deployment";
import { officialClient, retrace, walk } from "./walk";

const state = temporaryFolder("state");
let child: ChildProcess | undefined;

/** Starts a control plane in a separate process, which can be killed. */
async function serve(): Promise<Served> {
  const script = join(__dirname, "fixtures/serve.ts");
  child = spawn(process.execPath, ["--import", "tsx", script, state], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(createInterface(child.stdout!), "line")) as [string];
  return JSON.parse(line) as Served;
}

async function kill(): Promise<void> {
  const exited = once(child!, "exit");
  child!.kill("SIGKILL");
  await exited;
}

afterAll(async () => {
  if (child?.exitCode === null) await kill();
  await allGone(state);
});

test("supports every client method, and keeps all data after a kill and in a new revision", async () => {
  const repository = new Repository(versatileAgent("one"));
  const first = await serve();
  const url = await deploy(first, repository);
  const client = officialClient(url, first);
  const footprints = await walk(client);
  await client.store.putItem(["late"], "key", { written: "just before the kill" });
  await kill();

  const second = await serve();
  expect(second).toEqual(first);
  for (let up = false; !up; await sleep(50)) up = (await fetch(`${url}/ok`)).ok;
  await retrace(client, footprints);
  expect(await client.store.getItem(["late"], "key")).not.toBeNull();
  const again = await walk(client);

  repository.commit(versatileAgent("two"));
  const { thread_id: busy } = await client.threads.create();
  const cut = await client.runs.create(busy, "agent", {
    input: { messages: [{ role: "user", content: "endlessly" }] },
  });
  while ((await client.runs.get(busy, cut.run_id)).status === "pending") await sleep(20);
  await revise(second, url);
  const shown = { input: { messages: [{ role: "user", content: "version" }] } };
  expect(await client.runs.wait(null, "agent", shown)).toMatchObject({ messages: [{}, { content: "two" }] });
  expect(await client.runs.get(busy, cut.run_id)).toMatchObject({ status: "error" });
  for (const before of [footprints, again]) await retrace(client, before);
  await walk(client);
});
