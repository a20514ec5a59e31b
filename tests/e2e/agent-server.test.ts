import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "../../tools/repository";
import { canaries, canariesIn } from "./canaries";
import type { Stack } from "./stack";
import { World } from "./world";

jest.setTimeout(300_000);

let world: World;
let stack: Stack;

beforeAll(async () => {
  world = await World.start({ dialect: "langsmith", rollout: "real" });
  stack = await world.stack("whole");
  cpSync(join(repositoryRoot, "examples", "local-folder", "agent"), join(stack.folder, "agent"), {
    recursive: true,
  });
  mkdirSync(join(stack.folder, "handbook"));
  stack.write("handbook/hours.md", "From nine to five.");
  stack.write("handbook/refunds.json", '{"days": 14}');
  stack.program(program());
  await stack.config("modelKey", canaries.modelKey, "--secret");
  world.writes();
});
// Checks that neither the output nor the stored files contain the secret of an item.
afterAll(() => world?.end());

const wanted = {
  name: '"whole"',
  greeting: '"Hello"',
  style: '"brief"',
  schedule: '"0 9 * * 1-5"',
  tone: '"Friendly."',
  purpose: '"inbox"',
  triggers: "[1]",
  adopt: "undefined",
};

const program = (change: Partial<typeof wanted> = {}) => {
  const { name, greeting, style, schedule, tone, purpose, triggers, adopt } = { ...wanted, ...change };
  return `
const agent = new Deployment("agent", {
  name: ${name}, source: "internal_source", sourceConfig: { deploymentType: "serverless" },
  sourceRevisionConfig: { folder: "./agent" }, environmentVariables: { GREETING: ${greeting} },
});
const brief = new Assistant("brief", { deployment: agent, graph: "agent", name: "Brief", context: { style: ${style} } });
new Cron("report", {
  deployment: agent, assistant: brief, schedule: ${schedule}, timezone: "Europe/Berlin",
  input: { messages: [{ role: "user", content: "report" }] },
});
new StoreItem("tone", { deployment: agent, namespace: ["guidelines"], key: "tone", value: { text: ${tone}, key: config.requireSecret("modelKey") }, adopt: ${adopt} });
new StoreItems("handbook", { deployment: agent, namespace: ["handbook"], folder: "./handbook" });
new Thread("inbox", { deployment: agent, graph: "agent", metadata: { purpose: ${purpose} } });
const smoke = new Run("smoke", {
  deployment: agent, assistant: brief, triggers: ${triggers}, input: { messages: [{ role: "user", content: "you" }] },
});
exports.output = smoke.output;
exports.brief = brief.assistantId;
`;
};

/** Number of resources in the stack, excluding the stack resource and the deployment. */
const inside = 6;

/** Returns the output of a command, and checks that it contains no secrets. */
async function agentserver(...words: string[]): Promise<string> {
  const main = join(repositoryRoot, "dist", "cli", "main.js");
  const options = { cwd: stack.folder, env: world.environment };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [main, ...words], options);
  expect(canariesIn(stdout + stderr)).toEqual([]);
  return stdout;
}

/**
 * Returns the writes since the last call, sorted and with IDs replaced. Omits searches as well as writes to the
 * deployment.
 */
const writes = () =>
  world
    .writes(true)
    .map(({ request }) => request.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID"))
    .filter((request) => /^\w+ \/agents\/ID\//.test(request) && !/\/(search|count)$/.test(request))
    .map((request) => request.replace("/agents/ID", ""))
    .sort();

/**
 * Requests that write and delete the items in which resources record their writes. A record is written before the
 * other writes of a resource, and again after them if the record changes.
 */
const [recordPut, recordDelete] = ["PUT /store/items", "DELETE /store/items"];

const made = [
  "POST /assistants",
  "POST /runs/crons",
  "POST /threads",
  "POST /threads",
  "POST /threads/ID/runs",
  recordPut,
  recordPut,
  "PUT /store/items",
  "PUT /store/items",
  "PUT /store/items",
];

const unmade = [
  "DELETE /assistants/ID",
  "DELETE /runs/crons/ID",
  recordDelete,
  recordDelete,
  "DELETE /store/items",
  "DELETE /store/items",
  "DELETE /store/items",
  "DELETE /threads/ID",
  "DELETE /threads/ID",
];

async function up(change: Partial<typeof wanted> = {}) {
  stack.program(program(change));
  const run = await stack.up();
  expect(run.code === 0 ? "" : run.output).toBe("");
  return run;
}

/** Returns the address of the agent server. */
async function serverUrl(): Promise<string> {
  return (await stack.resource("agent"))!.outputs!["url"] as string;
}

async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const headers = { "content-type": "application/json", "X-Api-Key": world.plane.apiKey };
  const answer = await fetch((await serverUrl()) + path, {
    method,
    headers,
    body: body && JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} returned ${answer.status}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

test("previews a program whose deployment does not exist yet, and creates resources in order", async () => {
  const preview = await stack.preview();
  expect([preview.code, preview.changes]).toEqual([0, { create: inside + 2 }]);
  expect(preview.output).toMatch(/runs next at 20\d\d-\d\d-\d\dT0[78]:00:00Z, /);
  expect(writes()).toEqual([]);
  const run = await up();
  expect(writes()).toEqual(made);
  expect(run.output).toContain("Hello, you!");
  expect(await stack.preview("--refresh", "--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await stack.up()).toMatchObject({ code: 0, changes: { same: inside + 2 } });
  expect(writes()).toEqual([]);
});

test("shows the contents of the deployment in the output of agentserver status", async () => {
  expect(await agentserver("status", "--contents")).toContain(
    "2 threads, 1 cron, 2 assistants, 3 store items",
  );
});

test.each<[string, Partial<typeof wanted>, string[]]>([
  ["an assistant", { style: '"very brief"' }, ["PATCH /assistants/ID"]],
  ["a cron", { schedule: '"30 9 * * *"' }, ["PATCH /runs/crons/ID"]],
  ["an item", { tone: '"Formal."' }, [recordPut, "PUT /store/items", recordPut]],
  ["a thread", { purpose: '"post"' }, ["PATCH /threads/ID"]],
  ["a run", { triggers: "[2]" }, ["DELETE /threads/ID", "POST /threads", "POST /threads/ID/runs"]],
])("sends nothing but the change to %s", async (_what, change, requests) => {
  Object.assign(wanted, change);
  const run = await up();
  expect(run.changes).toEqual({ update: 1, same: inside + 1 });
  expect(writes()).toEqual(requests);
});

test("sends only the changed items of a folder", async () => {
  stack.write("handbook/hours.md", "Around the clock.");
  stack.write("handbook/returns.json", '{"days": 30}');
  const run = await up();
  expect(run.output).toContain("items (1 new: returns, and 1 changed: hours.md)");
  expect(writes()).toEqual([recordPut, "PUT /store/items", "PUT /store/items", recordPut]);
});

test("detects and corrects external changes", async () => {
  // Without `adopt`, a value that another actor has written is not overwritten.
  Object.assign(wanted, { adopt: '"always"' });
  await up();
  const { outputs } = (await stack.resource("brief"))!;
  await ask("PATCH", `/assistants/${outputs!["assistantId"] as string}`, { context: { style: "rude" } });
  await ask("DELETE", "/store/items", { namespace: ["handbook"], key: "refunds" });
  await ask("PUT", "/store/items", { namespace: ["guidelines"], key: "tone", value: { text: "Rude." } });
  const [cron] = (await ask("POST", "/runs/crons/search", {})) as { cron_id: string }[];
  await ask("DELETE", `/runs/crons/${cron!.cron_id}`);
  writes();
  const refreshed = await stack.run("refresh", "--yes", "--skip-preview");
  expect(refreshed.code === 0 ? "" : refreshed.output).toBe("");
  await up();
  expect(writes()).toEqual([
    "PATCH /assistants/ID",
    "POST /runs/crons",
    "PUT /store/items",
    "PUT /store/items",
  ]);
  expect(await stack.preview("--refresh", "--expect-no-changes")).toMatchObject({ code: 0 });
});

test("looks up resources, and keeps a token secret", async () => {
  const consent = await fetch(`${world.plane.baseUrl}/v2/auth/authenticate`, {
    method: "POST",
    headers: { "content-type": "application/json", "X-Api-Key": world.plane.apiKey },
    body: JSON.stringify({ provider: "github", scopes: ["repo"], user_id: "ada" }),
  });
  await fetch(((await consent.json()) as { url: string }).url);
  stack.program(`${program()}
const look = require("pulumi-agentserver");
const place = { deployment: agent };
exports.version = look.getAssistantOutput({ ...place, name: "Brief" }).version;
exports.names = look.getAssistantsOutput({ ...place, filters: { nameContains: "Brief" } }).apply((all) => all.length);
exports.refunds = look.getStoreItemOutput({ ...place, namespace: ["handbook"], key: "refunds" }).value;
exports.threads = look.searchThreadsOutput({ ...place, filters: { metadata: { purpose: "post" } } }).apply((all) => all.length);
exports.lines = look.getDeploymentLogsOutput({ deploymentId: agent.id, type: "build" }).lines.apply((all) => all.length > 0);
exports.token = look.authenticateOutput({ provider: "github", scopes: ["repo"], userId: "ada" });
`);
  const run = await stack.up();
  expect(run.code === 0 ? "" : run.output).toBe("");
  const { stdout } = await stack.run("stack", "output", "--json", "--stack", "whole");
  const shown: unknown = JSON.parse(stdout);
  expect(shown).toMatchObject({
    names: 1,
    refunds: { days: 14 },
    threads: 1,
    token: "[secret]",
    lines: "[secret]",
  });
  expect(run.output).not.toMatch(/token-[\w-]{10}/);
  expect(JSON.stringify(await stack.state())).not.toMatch(/token-[\w-]{10}/);
  stack.program(program());
  await up();
});

test("does not change the contents of a deployment when it gets a new revision", async () => {
  Object.assign(wanted, { greeting: '"Good day"' });
  const run = await up();
  expect(run.changes).toEqual({ update: 1, same: inside + 1 });
  expect(writes()).toEqual([]);
  expect(await ask("POST", "/runs/crons/count", {})).toBe(1);
  expect(await stack.preview("--refresh", "--expect-no-changes")).toMatchObject({ code: 0 });
});

test("recreates the contents of a replaced deployment", async () => {
  Object.assign(wanted, { name: '"other"' });
  const preview = await (stack.program(program()), stack.preview());
  expect([preview.code, preview.changes]).toEqual([0, { replace: inside + 1, same: 1 }]);
  await ask("POST", "/assistants", { graph_id: "agent", name: "By hand" });
  const review = await agentserver("review", "--stack", "whole", "--format", "terminal");
  expect(review).toMatch(/Not recreated: assistant By hand \([0-9a-f-]{36}\)/);
  expect(review).toMatch(
    /Recreated by this program: (brief \(assistant\), report \(cron\)|report .*, brief )/,
  );
  expect(review).toContain("In the store: guidelines, handbook");
  expect(review).toContain(`Other agent server resources: ${inside} replaced`);
  writes();
  await up();
  expect(writes().filter((request) => !request.startsWith("DELETE"))).toEqual(
    [...made, "PUT /store/items"].sort(),
  );
  expect(await world.deployments()).toMatchObject([{ name: "other" }]);
  expect(await ask("POST", "/runs/crons/count", {})).toBe(1);
  expect(await ask("POST", "/assistants/count", {})).toBe(2);
});

test("deletes all of its resources, but no objects that others have created", async () => {
  await ask("PUT", "/store/items", { namespace: ["handbook"], key: "theirs", value: { by: "a graph" } });
  await ask("POST", "/runs/crons", { assistant_id: "agent", schedule: "0 0 1 1 *" });
  stack.program(program().split("const brief")[0]!);
  writes();
  const run = await stack.up();
  expect(run.code === 0 ? "" : run.output).toBe("");
  expect(writes()).toEqual([...unmade, "DELETE /store/items"].sort());
  expect(await ask("POST", "/runs/crons/count", {})).toBe(1);
  expect(await ask("POST", "/threads/count", {})).toBe(0);
  expect(await ask("POST", "/store/items/search", { namespace_prefix: [] })).toMatchObject({
    items: [{ key: "theirs" }],
  });
  expect(await ask("POST", "/assistants/count", {})).toBe(1);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(readFileSync(join(stack.folder, "handbook", "hours.md"), "utf8")).toBe("Around the clock.");
});
