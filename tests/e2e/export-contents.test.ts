import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "../../tools/repository";
import { versatileAgent } from "../emulator/gateway/agent";
import { deploy } from "../emulator/gateway/deployment";
import { Client } from "../emulator/control-plane/client";
import { Repository } from "../emulator/rollout/repository";
import { canariesIn } from "./canaries";
import type { Stack } from "./stack";
import { World } from "./world";

jest.setTimeout(300_000);

const thread = "00000000-0000-4000-8000-000000000001";
let world: World;
let client: Client;

beforeAll(async () => {
  world = await World.start({ rollout: "real" });
  const url = await deploy(world.plane, new Repository(versatileAgent()), "support");
  client = new Client(url, { "X-Api-Key": world.plane.apiKey });
  const brief = await client.post<{ assistant_id: string }>("/assistants", {
    graph_id: "agent",
    name: "Brief one",
    config: { tags: ["short"], recursion_limit: 7 },
    metadata: { team: "${secret:none}" },
  });
  await client.post("/threads", { thread_id: thread });
  await client.post("/runs/crons", {
    assistant_id: brief.body.assistant_id,
    schedule: "0 9 * * 1-5",
    timezone: "Europe/Berlin",
    input: { messages: [{ role: "user", content: "report" }] },
    metadata: { purpose: "report" },
    end_time: "2099-01-31T18:00:00+00:00",
  });
  await client.post(`/threads/${thread}/runs/crons`, { assistant_id: "agent", schedule: "*/5 * * * *" });
  const general = ["handbook", "general"];
  for (const item of [
    { namespace: general, key: "hours.md", value: { content: "${env:none}" } },
    { namespace: general, key: "refunds", value: { days: 14.5 } },
    { namespace: ["users"], key: "ada", value: { likes: ["tea"] } },
  ])
    await client.send("PUT", "/store/items", item);
});
afterAll(() => world?.end());

/** Returns the output of the command, and checks that it contains no secrets. */
async function exported(cwd: string, ...words: string[]): Promise<string> {
  const main = join(repositoryRoot, "dist", "cli", "main.js");
  const options = { cwd, env: world.environment };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [main, "export", ...words], options);
  expect(canariesIn(stdout + stderr)).toEqual([]);
  return stdout;
}

/** Returns the writes to the agent server since the last call. */
const writes = () =>
  world
    .writes(true)
    .map(({ request }) => request.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID"))
    .filter((request) => /^\w+ \/agents\/ID\//.test(request) && !/\/(search|count|namespaces)$/.test(request))
    .map((request) => request.replace("/agents/ID", ""))
    .sort();

// The POST request finds the existing assistant. The PUT requests record that the sets of items are adopted.
const tagged = [
  "PATCH /assistants/ID",
  "PATCH /runs/crons/ID",
  "PATCH /runs/crons/ID",
  "POST /assistants",
  "PUT /store/items",
  "PUT /store/items",
];

// Adopted objects are also removed from the records of their previous owner.
const taken = [...tagged, "PUT /store/items", "PUT /store/items"];

/**
 * Checks that the first `up` adopts everything, writing only tags and records, and that later previews show no changes.
 */
async function takesAllOver(stack: Stack, resources: number, expected = tagged): Promise<void> {
  writes();
  const up = await stack.up();
  expect(up.code === 0 ? "" : up.output).toBe("");
  expect(up.changes).toEqual({ create: resources });
  expect(writes()).toEqual(expected);
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await stack.preview("--refresh", "--expect-no-changes")).toMatchObject({ code: 0 });
  expect(writes()).toEqual([]);
}

test("adopts the contents of a deployment with manifests; the next preview shows no changes", async () => {
  const stack = await world.stack(
    "manifests",
    'new (require("pulumi-agentserver").Workspace)("agents", { manifests: "agents" });',
  );
  const said = await exported(stack.folder, "--format", "manifests", "--output", "agents", "--contents");
  expect(said).toContain("1 deployment, 1 assistant, 2 crons, 3 store items written to agents.");
  expect(readdirSync(join(stack.folder, "agents")).sort()).toEqual([
    "README.md",
    "support.assistants.yaml",
    "support.crons.yaml",
    "support.store.yaml",
    "support.yaml",
  ]);
  // The stack, the workspace, the deployment, an assistant, two crons, and two namespaces.
  await takesAllOver(stack, 8);
});

test("adopts objects of another stack if the program requests it", async () => {
  const project = join(world.folder, "manifests");
  const words = ["--format", "program", "--output", "program", "--force"];
  const without = await exported(project, ...words, "--include-owned", "--contents", "crons");
  expect(without).toContain("1 deployment, 2 crons written to program.");
  await exported(project, ...words, "--include-owned", "--contents");
  const stack = await world.stack("program");
  stack.typescript(readFileSync(join(project, "program", "index.ts"), "utf8"));
  await takesAllOver(stack, 7, taken);
});

test("rejects objects that an import cannot adopt, and suggests an alternative", async () => {
  const failing = exported(world.folder, "--format", "import", "--output", "import", "--contents");
  await expect(failing).rejects.toThrow("--contents cannot be combined with --format import");
});
