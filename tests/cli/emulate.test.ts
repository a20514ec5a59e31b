import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readJson } from "../json";
import { ensureBuilt } from "../../tools/build/ensure-built";
import { repositoryRoot } from "../../tools/repository";
import { noProcessOf, processesOf } from "../e2e/processes";
import { temporaryFolder } from "../tools/temporary-folder";
import { until } from "../tools/waiting";

const started: Emulate[] = [];
const folder = temporaryFolder();

beforeAll(() => ensureBuilt(), 120_000);

afterAll(async () => {
  for (const { child } of started) child.kill("SIGKILL");
  await noProcessOf(folder);
});

/** One `agentserver emulate` as it is installed, with what it prints. */
class Emulate {
  stdout = "";
  stderr = "";
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;

  constructor(...words: string[]) {
    const environment = Object.entries(process.env).filter(([name]) => !name.startsWith("AGENTSERVER_"));
    this.child = spawn(
      process.execPath,
      [join(repositoryRoot, "dist", "cli", "main.js"), "emulate", ...words],
      { cwd: folder, env: Object.fromEntries(environment), stdio: ["ignore", "pipe", "pipe"] },
    );
    this.child.stdout!.setEncoding("utf8").on("data", (text) => (this.stdout += text));
    this.child.stderr!.setEncoding("utf8").on("data", (text) => (this.stderr += text));
    this.ended = new Promise((resolve) =>
      this.child.on("close", (code, signal) => resolve({ code, signal })),
    );
    started.push(this);
  }

  /** The address that it prints once it can be used. */
  async address(): Promise<string> {
    await until(() => this.stdout.includes("AGENTSERVER_API_KEY") || this.child.exitCode !== null);
    const [, address] = /^ {2}AGENTSERVER_BASE_URL=(\S+)$/m.exec(this.stdout) ?? [];
    if (!address) throw new Error(`It did not start: ${this.stderr}`);
    return address;
  }

  async stop(signal: NodeJS.Signals = "SIGTERM") {
    this.child.kill(signal);
    return this.ended;
  }
}

async function statusOf(address: string, apiKey: string): Promise<number> {
  const headers = { "X-Api-Key": apiKey, "X-Tenant-Id": "tenant-1" };
  return (await fetch(`${address}/v2/deployments`, { headers })).status;
}

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "prints an address that answers, and ends well at %s",
  async (signal) => {
    const emulate = new Emulate("--rollout", "simulated", "--api-key", "key-1", "--tenant-id", "tenant-1");
    const address = await emulate.address();

    expect(emulate.stdout).toContain(`Local control plane at ${address} `);
    expect(emulate.stdout).not.toContain("key-1");
    expect(await statusOf(address, "key-1")).toBe(200);
    expect(await statusOf(address, "another")).toBe(401);

    expect(await emulate.stop(signal)).toEqual({ code: 0, signal: null });
    expect(emulate.stderr).toBe("");
    await expect(fetch(address)).rejects.toThrow("fetch failed");
    expect(processesOf(folder)).toEqual([]);
  },
);

test("tells the key that lives in memory only, and it is good", async () => {
  const emulate = new Emulate("--rollout", "simulated", "--tenant-id", "tenant-1");
  const address = await emulate.address();

  const [, apiKey] = /AGENTSERVER_API_KEY is (\S+)/.exec(emulate.stdout) ?? [];

  expect(await statusOf(address, apiKey!)).toBe(200);
  await emulate.stop();
});

test("with --state it keeps its port, its key and its deployments over restarts", async () => {
  const state = join(folder, "state");
  const words = ["--state", state, "--rollout", "simulated"];
  const first = new Emulate(...words);
  const address = await first.address();
  const { apiKey, tenantId } = readJson<{ apiKey: string; tenantId: string }>(
    readFileSync(join(state, "credentials.json"), "utf8"),
  );
  const headers = { "X-Api-Key": apiKey, "X-Tenant-Id": tenantId, "Content-Type": "application/json" };
  const body = JSON.stringify({
    name: "kept",
    source: "github",
    source_config: { repo_url: "https://git.example.com/agents.git" },
    source_revision_config: { repo_ref: "v1" },
  });
  expect((await fetch(`${address}/v2/deployments`, { method: "POST", headers, body })).status).toBe(201);
  await first.stop();
  expect(existsSync(join(state, "running.json"))).toBe(false);

  const second = new Emulate(...words);

  expect(await second.address()).toBe(address);
  expect(second.stdout).toContain(`AGENTSERVER_API_KEY in ${state}/credentials.json`);
  expect(second.stdout + first.stdout).not.toContain(apiKey);
  const list = await fetch(`${address}/v2/deployments`, { headers });
  expect(await list.json()).toMatchObject({ resources: [{ name: "kept" }] });
  expect(await second.stop()).toEqual({ code: 0, signal: null });
});

test("a state folder that is in use is refused in one line that names the other process", async () => {
  const state = join(folder, "shared");
  const first = new Emulate("--state", state, "--rollout", "simulated");
  const address = await first.address();

  const second = new Emulate("--state", state, "--rollout", "simulated");

  expect(await second.ended).toMatchObject({ code: 1 });
  expect(second.stderr).toBe(
    `agentserver: The state folder ${state} is in use by process ${first.child.pid} (${address}). Stop that one, or use another folder.\n`,
  );
  await first.stop();
});

test.each(["http", "-1", "65536", "80.5", "0x50", ""])(
  "--port %j is refused in one clear line",
  async (port) => {
    const emulate = new Emulate(`--port=${port}`);

    expect(await emulate.ended).toMatchObject({ code: 1 });
    expect(emulate.stderr).toContain("It must be a whole number below 65536.");
    expect(emulate.stderr).not.toContain("    at ");
    expect(emulate.stdout).toBe("");
  },
);

test("a port that is taken is said in one line", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as { port: number };

  const emulate = new Emulate("--port", String(port), "--rollout", "simulated");

  expect(await emulate.ended).toMatchObject({ code: 1 });
  expect(emulate.stderr.trim().split("\n")).toHaveLength(1);
  expect(emulate.stderr).toContain(String(port));
  await new Promise((resolve) => other.close(resolve));
});

test("speaks the dialect that it is told", async () => {
  const emulate = new Emulate("--rollout", "simulated", "--dialect", "langsmith");
  const document = await (await fetch(`${await emulate.address()}/openapi.json`)).text();
  expect(document).toContain('"langgraph_config_path"');
  expect(await emulate.stop()).toEqual({ code: 0, signal: null });

  const other = new Emulate("--dialect", "english");
  expect((await other.ended).code).toBe(1);
  expect(other.stderr).toContain("Allowed choices are interface, langsmith.");
});
