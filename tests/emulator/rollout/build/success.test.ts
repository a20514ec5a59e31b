import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createRealRunner } from "../../../../emulator/rollout/real";
import type { RunningAgent } from "../../../../emulator/rollout/rollout";
import { agentFiles, answeringGraph, greeter } from "../agents";
import { allGone, firstProcessIn, processesIn } from "../processes";
import { ask, jobFor, Notes } from "../rehearsal";
import { Repository } from "../repository";

const never = new AbortController().signal;
const runner = createRealRunner();
const repository = new Repository();
const commit = repository.commit(
  agentFiles(greeter, {
    node_version: "24",
    dependencies: ["."],
    env: { GREETING: "Hello", NAME: "unnamed" },
  }),
);
const job = jobFor(repository.folder, {
  secrets: [
    { name: "NAME", value: "Mr. Tops/ecret" },
    { name: "AGENTSERVER_OWNER", value: "owner-4711" },
  ],
});

/**
 * Source of a graph that starts a worker thread or process from a file of the project, and responds with its result.
 */
const starter = answeringGraph(
  `const file = new URL("./" + said + ".ts", import.meta.url);
  const started = said === "thread" ? new Worker(file) : fork(file);
  return await new Promise((resolve, reject) => started.on("message", resolve).on("error", reject));`,
  'import { fork } from "node:child_process"; import { Worker } from "node:worker_threads";',
);

test("supports TypeScript in worker threads and processes that the project starts", async () => {
  const started = 'import { text } from "./text.js"; enum Sender { Name = "from TypeScript: " }';
  const projects = new Repository();
  projects.commit({
    ...agentFiles(starter),
    "src/text.ts": 'export const text: string = "hi";',
    "src/thread.ts": `${started} import { parentPort } from "node:worker_threads"; parentPort!.postMessage(Sender.Name + text);`,
    "src/process.ts": `${started} process.send!(Sender.Name + text); process.disconnect();`,
  });
  const startingJob = jobFor(projects.folder);
  const agent = await runner.roll(startingJob, new Notes(), never);
  expect(await ask(agent, "thread")).toBe("from TypeScript: hi");
  expect(await ask(agent, "process")).toBe("from TypeScript: hi");
  await agent!.stop();
  await allGone(startingJob.dataFolder);
});

describe("a working revision", () => {
  const notes = new Notes();
  let agent: RunningAgent | undefined;

  beforeAll(async () => {
    agent = await runner.roll(job, notes, never);
  });

  afterAll(async () => {
    await agent?.stop();
    await allGone(job.dataFolder);
  });

  test("passes through its statuses, and reports its commit", () => {
    expect(notes.statuses).toEqual(["BUILDING", "AWAITING_DEPLOY", "DEPLOYING"]);
    expect(notes.commit).toBe(commit);
  });

  test("uses the env in the configuration, but gives secrets precedence", async () => {
    expect(await ask(agent, "hi")).toBe("Hello, Mr. Tops/ecret: hi");
  });

  test("logs what the project prints, without the secrets", async () => {
    expect(notes.text).toContain("deploy INFO called with [secret]");
    expect(notes.text).not.toContain("ecret:");
    expect(notes.text).not.toContain("Tops");
  });

  test("keeps its state in the revision's folder, and does not change the checkout", () => {
    expect(existsSync(join(job.revisionFolder, "state", ".langgraph_api"))).toBe(true);
    const source = join(job.revisionFolder, "source");
    expect(repository.git("-C", source, "status", "--porcelain")).toBe("");
  });

  test("stops cleanly even if it is stopped twice", async () => {
    await Promise.all([agent!.stop(), agent!.stop()]);
    await expect(agent!.exited).resolves.toBe("The agent server was stopped.");
    expect(processesIn(job.dataFolder)).toEqual([]);
  });

  test("starts again from the existing build", async () => {
    const again = new Notes();
    agent = await runner.restart(job, again, never);
    expect(await ask(agent, "again")).toBe("Hello, Mr. Tops/ecret: again");
    expect(again.text).not.toContain("build ");
    await agent!.stop();
  });

  test("is rebuilt from its commit if the build is missing, even if the branch has moved", async () => {
    repository.commit({ "src/agent.ts": "throw new Error('a later state')" });
    rmSync(join(job.revisionFolder, "source"), { recursive: true });
    const again = new Notes();
    agent = await runner.restart(job, again, never);
    expect(again.commit).toBe(commit);
    expect(again.text).toContain("rebuilding it");
    expect(await ask(agent, "still")).toBe("Hello, Mr. Tops/ecret: still");
  });

  test("reports why its process exited", async () => {
    process.kill(firstProcessIn(job.dataFolder), "SIGKILL");
    await expect(agent!.exited).resolves.toBe("The agent server was terminated by SIGKILL.");
  });
});
