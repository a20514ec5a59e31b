import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { readJson } from "../json";
import { ensureBuilt } from "../../tools/build/ensure-built";
import { noProcessOf, processesOf } from "../e2e/processes";
import { temporaryFolder } from "../tools/temporary-folder";
import { EmulateProcess, endAll } from "./emulate-process";

const folder = temporaryFolder();
const run = promisify(execFile);

beforeAll(() => ensureBuilt(), 120_000);

afterAll(async () => {
  endAll();
  await noProcessOf(folder);
});

/** An `agentserver emulate` process in the folder of the test. */
class Emulate extends EmulateProcess {
  constructor(...words: string[]) {
    super({ folder }, ...words);
  }
}

async function statusOf(address: string, apiKey: string): Promise<number> {
  const headers = { "X-Api-Key": apiKey, "X-Tenant-Id": "tenant-1" };
  return (await fetch(`${address}/v2/deployments`, { headers })).status;
}

/** Returns the status of `/ok` for a request with another host name. */
function statusFor(address: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(`${address}/ok`, { headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode!);
    }).on("error", reject);
  });
}

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "prints a working URL and exits cleanly on %s",
  async (signal) => {
    const environment = { AGENTSERVER_API_KEY: "key-1" };
    const words = ["--rollout", "simulated", "--tenant-id", "tenant-1"];
    const emulate = new EmulateProcess({ folder, environment }, ...words);
    const address = await emulate.address();

    expect(emulate.stdout).toContain(`Local control plane at ${address} `);
    expect(emulate.stdout).not.toMatch(/key-1|sign-in\//);
    const [, linkCommand] = /signs you in: (.*)\n/.exec(emulate.stdout)!;
    const exports = { AGENTSERVER_API_KEY: "key-1", AGENTSERVER_TENANT_ID: "tenant-1" };
    const { stdout } = await run("sh", ["-c", linkCommand!], { env: { ...process.env, ...exports } });
    expect((JSON.parse(stdout) as { link: string }).link).toMatch(`${address}/#/sign-in/`);
    expect(await statusOf(address, "key-1")).toBe(200);
    expect(await statusOf(address, "another")).toBe(401);

    expect(await emulate.stop(signal)).toEqual({ code: 0, signal: null });
    expect(emulate.stderr).toBe("");
    await expect(fetch(address)).rejects.toThrow("fetch failed");
    expect(processesOf(folder)).toEqual([]);
  },
);

test("rejects a key on the command line without repeating it, and lists the alternatives", async () => {
  const emulate = new Emulate("--rollout", "simulated", "--api-key", "key-1");

  expect(await emulate.ended).toMatchObject({ code: 1 });
  expect(emulate.stderr).toBe(
    "agentserver: --api-key is not supported, because other users of this machine could read the key in the process list. " +
      "Set AGENTSERVER_API_KEY, or write the key to a file and pass --api-key-file.\n",
  );
  expect(emulate.stdout).toBe("");
});

test("reads keys from files, which take precedence over the environment", async () => {
  const [apiKeyFile, adminKeyFile] = [join(folder, "api-key"), join(folder, "admin-key")];
  writeFileSync(apiKeyFile, "key-of-the-file\n");
  writeFileSync(adminKeyFile, "admin-key-of-the-file");
  const environment = { AGENTSERVER_API_KEY: "key-1", AGENTSERVER_ADMIN_KEY: "admin-key-1" };
  const emulate = new EmulateProcess(
    { folder, environment },
    ...["--rollout", "simulated", "--tenant-id", "tenant-1", "--admin"],
    ...["--api-key-file", apiKeyFile, "--admin-key-file", adminKeyFile],
  );
  const address = await emulate.address();
  const journal = async (key: string) =>
    (await fetch(`${address}/admin/journal`, { headers: { "X-Api-Key": key } })).status;

  expect(await statusOf(address, "key-of-the-file")).toBe(200);
  expect(await statusOf(address, "key-1")).toBe(401);
  expect(await journal("admin-key-of-the-file")).toBe(200);
  expect(await journal("key-of-the-file")).toBe(403);
  expect(await journal("admin-key-1")).toBe(401);
  expect(emulate.stdout).toContain(`  export AGENTSERVER_API_KEY="$(cat ${apiKeyFile})"\n`);
  await emulate.stop();
});

test.each([
  ["missing", undefined, "cannot be read: ENOENT"],
  ["empty", "", "must contain exactly one key"],
  ["two", "one\ntwo\n", "must contain exactly one key"],
])("rejects a key file with a one-line error unless it contains one key: %s", async (name, text, why) => {
  const file = join(folder, `key-file-${name}`);
  if (text !== undefined) writeFileSync(file, text);
  const emulate = new Emulate("--rollout", "simulated", "--api-key-file", file);

  expect(await emulate.ended).toMatchObject({ code: 1 });
  expect(emulate.stderr).toContain(`${file} (--api-key-file) ${why}`);
  expect(emulate.stderr.trim().split("\n")).toHaveLength(1);
});

test("uses the admin key from the environment and accepts allowed hosts and origins", async () => {
  const environment = { AGENTSERVER_API_KEY: "key-1", AGENTSERVER_ADMIN_KEY: "admin-key-1" };
  const words = [
    "--rollout",
    "simulated",
    "--admin",
    "--allowed-host",
    "one.example",
    "--allowed-host",
    "two.example",
    "--allowed-origin",
    "https://studio.example",
  ];
  const emulate = new EmulateProcess({ folder, environment }, ...words);
  const address = await emulate.address();
  const journal = (key: string) => fetch(`${address}/admin/journal`, { headers: { "X-Api-Key": key } });

  expect((await journal("admin-key-1")).status).toBe(200);
  expect((await journal("key-1")).status).toBe(403);
  for (const [host, status] of [
    ["one.example", 200],
    ["two.example", 200],
    ["three.example", 421],
  ] as const)
    expect([host, await statusFor(address, host)]).toEqual([host, status]);
  await emulate.stop();
});

test("does not print a generated key if the output is not a terminal", async () => {
  const emulate = new Emulate("--rollout", "simulated", "--tenant-id", "tenant-1");
  await emulate.address();

  expect(emulate.stdout).toContain(
    "  # AGENTSERVER_API_KEY is not printed because the output is not a terminal.",
  );
  expect(emulate.stdout).not.toMatch(/export AGENTSERVER_API_KEY/);
  await emulate.stop();
});

test("keeps its port, key, and deployments across restarts with --state", async () => {
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
  const [, command] = /^ {2}(export AGENTSERVER_API_KEY=.*)$/m.exec(second.stdout) ?? [];
  const printed = execFileSync("sh", ["-c", `${command}; printf %s "$AGENTSERVER_API_KEY"`]);
  expect(printed.toString()).toBe(apiKey);
  expect(second.stdout + first.stdout).not.toContain(apiKey);
  const list = await fetch(`${address}/v2/deployments`, { headers });
  expect(await list.json()).toMatchObject({ resources: [{ name: "kept" }] });
  expect(await second.stop()).toEqual({ code: 0, signal: null });
});

test("reports on one line that the state folder is in use, and by which process", async () => {
  const state = join(folder, "shared");
  const first = new Emulate("--state", state, "--rollout", "simulated");
  const address = await first.address();

  const second = new Emulate("--state", state, "--rollout", "simulated");

  expect(await second.ended).toMatchObject({ code: 1 });
  expect(second.stderr).toBe(
    `agentserver: The state folder ${state} is in use by process ${first.child.pid} (${address}). Stop that process, or use another folder.\n`,
  );
  await first.stop();
});

test.each(["http", "-1", "65536", "80.5", "0x50", ""])(
  "rejects --port %j with a one-line error",
  async (port) => {
    const emulate = new Emulate(`--port=${port}`);

    expect(await emulate.ended).toMatchObject({ code: 1 });
    expect(emulate.stderr).toContain("It must be a whole number below 65536.");
    expect(emulate.stderr).not.toContain("    at ");
    expect(emulate.stdout).toBe("");
  },
);

test("reports on one line that the port is in use", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as { port: number };

  const emulate = new Emulate("--port", String(port), "--rollout", "simulated");

  expect(await emulate.ended).toMatchObject({ code: 1 });
  expect(emulate.stderr.trim().split("\n")).toHaveLength(1);
  expect(emulate.stderr).toContain(String(port));
  await new Promise((resolve) => other.close(resolve));
});

test("uses the specified dialect", async () => {
  const emulate = new Emulate("--rollout", "simulated", "--dialect", "langsmith");
  const document = await (await fetch(`${await emulate.address()}/openapi.json`)).text();
  expect(document).toContain('"langgraph_config_path"');
  expect(await emulate.stop()).toEqual({ code: 0, signal: null });

  const other = new Emulate("--dialect", "english");
  expect((await other.ended).code).toBe(1);
  expect(other.stderr).toContain("Allowed choices are interface, langsmith.");
});
