import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startControlPlane } from "../../../../emulator/index";
import { readJson } from "../../../json";
import type { Deployment } from "../../answers";
import { Client, creation } from "../../control-plane/client";
import { saying } from "../../gateway/agent";
import { controlPlaneClient, deploy, revise, type Served, until as answered } from "../../gateway/deployment";
import { alive, daemons, type Departure, idsIn } from "../../process/daemons";
import { newProcessTree } from "../../../../emulator/process/process-tree";
import { isAlive, until } from "../../../tools/waiting";
import { agentFiles, answeringGraph } from "../agents";
import { allGone, processesIn } from "../processes";
import { Repository, temporaryFolder } from "../repository";

const ways: Departure[] = [
  "background",
  "session",
  "daemon",
  ...(newProcessTree().hold === "environment" ? [] : (["bare"] as const)),
];

/** Creates an agent that starts processes during its import, each of which detaches in a different way. */
function starting(file: string): Repository {
  const script = JSON.stringify(daemons(file, ways));
  const graph = answeringGraph(
    'if (said === "die") process.kill(process.pid, "SIGKILL"); return said;',
    `\nimport { execFileSync } from "node:child_process";\nexecFileSync("sh", ["-c", ${script}], { stdio: "ignore" });\n`,
  );
  return new Repository(agentFiles(graph));
}

const ended: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

async function start(): Promise<Served & { client: Client; close(): Promise<void> }> {
  const plane = await startControlPlane({ rollout: "real", state: temporaryFolder("state") });
  ended.push(() => plane.close());
  const { baseUrl, apiKey, tenantId } = plane;
  return { baseUrl, apiKey, tenantId, close: () => plane.close(), client: controlPlaneClient(plane) };
}

/** Starts a control plane in a separate process. */
function serveApart(state: string): ChildProcess {
  const script = join(__dirname, "../../gateway/fixtures/serve.ts");
  const child = spawn(process.execPath, ["--import", "tsx", script, state], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  ended.push(() => void child.kill("SIGKILL"));
  return child;
}

const idsFile = (): string => join(temporaryFolder("ids"), "ids");

test("stops the agent's processes before it responds to a delete request", async () => {
  const plane = await start();
  const file = idsFile();
  const url = await deploy(plane, starting(file));
  expect(alive(file)).toHaveLength(ways.length);
  expect((await plane.client.delete(`/v2/deployments/${url.split("/").at(-1)}`)).status).toBe(204);
  expect(alive(file)).toEqual([]);
});

test("stops the processes of an installation before it responds to a delete request", async () => {
  const plane = await start();
  const file = idsFile();
  const repository = new Repository({
    ...agentFiles(answeringGraph("return said;")),
    "package.json": JSON.stringify({
      devDependencies: { local: "file:./local" },
      scripts: { preinstall: "sh ./start-daemons.sh" },
    }),
    "start-daemons.sh": `${daemons(file, ways)}\nmkdir ${file}.all\nsleep 1000\n`,
    "local/package.json": JSON.stringify({ name: "local", version: "1.0.0" }),
  });
  const source = { source_config: { repo_url: repository.folder, build_on_push: false } };
  const { id } = (await plane.client.post<Deployment>("/v2/deployments", creation("agent", source))).body;
  await until(() => existsSync(`${file}.all`));
  expect(alive(file)).toHaveLength(ways.length);
  expect((await plane.client.delete(`/v2/deployments/${id}`)).status).toBe(204);
  expect(alive(file)).toEqual([]);
});

test("stops the processes of an agent when it is replaced, when it exits, and at shutdown", async () => {
  const plane = await start();
  const file = idsFile();
  const url = await deploy(plane, starting(file));
  const first = idsIn(file);
  rmSync(file);
  await revise(plane, url);
  await until(() => idsIn(file).length === ways.length);
  await answered(
    () => plane.client.get(`/agents/${url.split("/").at(-1)}/ok`),
    ({ status }) => status === 200,
  );
  const second = idsIn(file);
  expect(alive(file)).toEqual(second);
  const agent = new Client(url, { "X-Api-Key": plane.apiKey });
  rmSync(file);
  await agent.post("/runs", saying("die"));
  // The agent is restarted, and starts the processes again.
  await until(() => idsIn(file).length === ways.length);
  await plane.close();
  expect(alive(file)).toEqual([]);
  for (const pid of [...first, ...second]) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

test("terminates an agent's processes when the control plane is killed", async () => {
  const child = serveApart(temporaryFolder("state"));
  const [line] = (await once(createInterface(child.stdout!), "line")) as [string];
  const file = idsFile();
  await deploy(readJson<Served>(line), starting(file));
  expect(alive(file)).toHaveLength(ways.length);
  child.kill("SIGKILL");
  await until(() => alive(file).length === 0);
});

test("stops an agent when its supervisor and its control plane are killed", async () => {
  const state = temporaryFolder("state");
  const child = serveApart(state);
  const [line] = (await once(createInterface(child.stdout!), "line")) as [string];
  await deploy(readJson<Served>(line), new Repository(agentFiles(answeringGraph("return said;"))));
  const supervisors = processesIn(state).filter((pid) =>
    /supervise\.mjs/.test(readFileSync(`/proc/${pid}/cmdline`, "utf8")),
  );
  expect(supervisors).toHaveLength(1);
  child.kill("SIGSTOP");
  for (const pid of supervisors) process.kill(pid, "SIGKILL");
  child.kill("SIGKILL");
  await allGone(state);
});

test("stops, at the next start, processes that outlived their supervisors", async () => {
  const state = temporaryFolder("state");
  const child = serveApart(state);
  const [line] = (await once(createInterface(child.stdout!), "line")) as [string];
  const file = idsFile();
  await deploy(readJson<Served>(line), starting(file));
  const left = idsIn(file).slice(0, newProcessTree().hold === "cgroup" ? ways.length : 3);
  // These processes must not react to each other's end, so all of them are suspended before they are killed.
  const programs = processesIn(state).filter((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith(process.execPath),
  );
  // The state folder is released only when all threads of the process have ended.
  const exited = once(child, "exit");
  for (const pid of [child.pid!, ...programs]) process.kill(pid, "SIGSTOP");
  for (const pid of [child.pid!, ...programs]) process.kill(pid, "SIGKILL");
  await exited;
  await until(() => [child.pid!, ...programs].every((pid) => !isAlive(pid)));
  expect(left.filter(isAlive)).toEqual(left);
  rmSync(file);

  const plane = await startControlPlane({ rollout: "real", state });
  ended.push(() => plane.close());
  expect(left.filter(isAlive)).toEqual([]);
});
