import { openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "../../tools/build/ensure-built";
import type { Values } from "../emulator/answers";
import { Client, creation } from "../emulator/control-plane/client";
import { saying } from "../emulator/gateway/agent";
import { deploy } from "../emulator/gateway/deployment";
import { agentFiles, answeringGraph } from "../emulator/rollout/agents";
import { Repository } from "../emulator/rollout/repository";
import { limitedDisk } from "../emulator/storage/disks";
import { readJson } from "../json";
import { temporaryFolder } from "../tools/temporary-folder";
import { EmulateProcess, endAll } from "./emulate-process";

const folder = temporaryFolder();

beforeAll(() => ensureBuilt(), 120_000);
afterAll(endAll);

/** Tells which of the words in the message can be read in the environment or the arguments of any process. */
const spy = answeringGraph(`
  const { readdirSync, readFileSync } = await import("node:fs");
  const texts = readdirSync("/proc").filter((name) => /^\\d+$/.test(name)).flatMap((pid) =>
    ["environ", "cmdline"].map((file) => {
      try { return readFileSync("/proc/" + pid + "/" + file, "utf8"); } catch { return ""; }
    }));
  const found = said.split(" ").filter((word) => texts.some((text) => text.includes(word)));
  return JSON.stringify({ found, names: Object.keys(process.env).sort() });
`);

test("an agent finds no key of the control plane, and nothing of its environment", async () => {
  const environment = {
    AGENTSERVER_API_KEY: "canary-api-key",
    AGENTSERVER_ADMIN_KEY: "canary-admin-key",
    CLOUD_ACCESS_TOKEN: "canary-of-the-shell",
    NODE_OPTIONS: "--no-deprecation",
    LC_CTYPE: "C.UTF-8",
  };
  const emulate = new EmulateProcess(
    { folder, environment },
    "--state",
    join(folder, "private"),
    "--tenant-id",
    "tenant-1",
  );
  const baseUrl = await emulate.address();
  const served = { baseUrl, apiKey: "canary-api-key", tenantId: "tenant-1" };
  // Its own environment is the agent's to see; that shows that it looks in the right place.
  const repository = new Repository(agentFiles(spy, { env: { CONFIGURED: "canary-configured" } }));
  const url = await deploy(served, repository);
  const words = ["canary-api-key", "canary-admin-key", "canary-of-the-shell", "canary-configured"];
  const { body } = await new Client(url, { "X-Api-Key": served.apiKey }).post<Values>(
    "/runs/wait",
    saying(words.join(" ")),
  );
  const { found, names } = readJson<{ found: string[]; names: string[] }>(body.messages.at(-1)!.content);
  expect(found).toEqual(["canary-configured"]);
  expect(names).toEqual(expect.arrayContaining(["PATH", "LC_CTYPE", "CONFIGURED"]));
  for (const name of [...Object.keys(environment), "AGENTSERVER_HANDOVER"])
    if (name !== "LC_CTYPE") expect(names).not.toContain(name);
  expect(await emulate.stop()).toEqual({ code: 0, signal: null });
}, 60_000);

test("what it has to say and cannot, on a full disk, does not end it", async () => {
  const log = join(folder, "log");
  const words = ["--state", join(folder, "full"), "--rollout", "simulated", "--tenant-id", "tenant-1"];
  const environment = { AGENTSERVER_API_KEY: "key-1" };
  const emulate = new EmulateProcess({ folder, environment, stderr: openSync(log, "a") }, ...words);
  const client = new Client(await emulate.address(), { "X-Api-Key": "key-1", "X-Tenant-Id": "tenant-1" });
  const disk = limitedDisk();

  disk.fill(emulate.child.pid!);
  expect((await client.post("/v2/deployments", creation("agent"))).status).toBe(507);
  expect((await client.get("/v2/deployments")).status).toBe(200);
  disk.free(emulate.child.pid!);
  expect((await client.post("/v2/deployments", creation("agent"))).status).toBe(201);

  expect(readFileSync(log, "utf8")).toBe("");
  expect(await emulate.stop()).toEqual({ code: 0, signal: null });
});
