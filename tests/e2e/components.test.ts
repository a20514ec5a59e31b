import type { Stack } from "./stack";
import { World } from "./world";

jest.setTimeout(300_000);

const [first, second, third] = ["1", "2", "3"].map((digit) => digit.repeat(40)) as [string, string, string];
let world: World;
let stack: Stack;

beforeAll(async () => {
  world = await World.start({ dialect: "langsmith" });
  world.admin.steer({ pace: "at once" });
  stack = await world.stack("promotion");
});
afterAll(() => world?.end());

interface Wanted {
  /** What development runs. */
  commit: string;
  /** What production may run. */
  approved: string;
  more?: string;
}

const program = ({ commit, approved, more = "" }: Wanted) => `
const { Environments } = require("pulumi-agentserver");
const support = new Environments("support", {
  agent: "support",
  deployment: {
    source: "github",
    sourceConfig: { integrationId: "${integration()}", repoUrl: "https://git.example.com/agents.git", deploymentType: "dev" },
    sourceRevisionConfig: { repoRef: "${commit}", graphConfigPath: "langgraph.json" },
    rollout: { verify: { ok: false }, onFailure: "rollback" },
  },
  environments: [
    { name: "development" },
    { name: "staging", environmentVariables: { STAGE: "second" } },
    { name: "production", approved: "${approved}", sourceConfig: { deploymentType: "prod" }, ${more} },
  ],
});
exports.development = support.running.development;
exports.staging = support.running.staging;
exports.production = support.running.production;
`;

let known: string | undefined;
const integration = () =>
  (known ??= world.admin.seedIntegration({
    name: "support",
    repositories: [{ name: "agents", url: "https://git.example.com/agents.git" }],
  }));

const names = new Map<string, string>();

/** Writes since the last call: what was done to which deployment. */
async function writes(): Promise<string[]> {
  for (const { id, name } of await world.deployments()) names.set(id, name);
  return world.writes().map(({ request, body }) => {
    const [method, path] = request.split(" ") as [string, string];
    const name = names.get(path.split("/")[3] ?? "") ?? (body as { name: string }).name;
    return `${method} ${name}`;
  });
}

/** What the environments run, as the control plane has it. */
async function running(): Promise<Record<string, string>> {
  const { resources } = await world.get<{
    resources: { name: string; source_revision_config: { repo_ref: string } }[];
  }>("/v2/deployments");
  return Object.fromEntries(
    resources.map(({ name, source_revision_config: { repo_ref } }) => [name, repo_ref.slice(0, 1)]),
  );
}

async function outputs(): Promise<unknown> {
  return JSON.parse((await stack.run("stack", "output", "--json", "--stack", "promotion")).stdout);
}

test("each environment is made from what the one before it has verified", async () => {
  stack.program(program({ commit: first, approved: first }));
  const preview = await stack.preview();
  expect([preview.code, preview.changes]).toEqual([0, { create: 5 }]);
  expect(preview.output).toContain("production runs 1111111, as approved");
  const up = await stack.up();
  expect(up.code === 0 ? "" : up.output).toBe("");
  expect(await writes()).toEqual([
    "POST support-development",
    "POST support-staging",
    "POST support-production",
  ]);
  expect(await running()).toEqual({
    "support-development": "1",
    "support-staging": "1",
    "support-production": "1",
  });
  expect(await stack.preview("--refresh", "--expect-no-changes")).toMatchObject({ code: 0 });
});

test("a new commit goes to staging in the same update, and waits for approval before production", async () => {
  stack.program(program({ commit: second, approved: first }));
  const preview = await stack.preview();
  expect(preview.output).toContain(
    "production runs 1111111, as approved; what staging verifies in this update waits for approval.",
  );
  expect(preview.changes).toEqual({ update: 2, same: 3 });
  const up = await stack.up();
  expect(up.code === 0 ? "" : up.output).toBe("");
  expect(await writes()).toEqual(["PATCH support-development", "PATCH support-staging"]);
  const waiting = `production stays at 1111111; 2222222 is verified in staging and waits for approval: set \`approved\` to ${second}.`;
  expect(up.output).toContain(waiting);
  const later = await stack.preview("--expect-no-changes");
  expect(later).toMatchObject({ code: 0 });
  expect(later.output).toContain(waiting);
  expect(await outputs()).toEqual({ development: second, staging: second, production: first });
});

test("what nobody has verified cannot be approved, which the preview says already", async () => {
  stack.program(program({ commit: second, approved: third }));
  const refusal = "production is to run 3333333, and staging has verified 2222222.";
  const preview = await stack.preview();
  expect([preview.code === 0, preview.output.includes(refusal)]).toEqual([false, true]);
  const up = await stack.up();
  expect([up.code === 0, up.output.includes(refusal)]).toEqual([false, true]);
  expect(await writes()).toEqual([]);
});

test("an approval is seen in the preview, and changes production alone", async () => {
  stack.program(program({ commit: second, approved: second }));
  const preview = await stack.preview("--diff");
  expect(preview.output).toContain("sourceRevisionConfig.repoRef 1111111111 → 2222222222");
  expect(preview.changes).toEqual({ update: 1, same: 4 });
  const up = await stack.up();
  expect(up.code === 0 ? "" : up.output).toBe("");
  expect(await writes()).toEqual(["PATCH support-production"]);
});

test("where development fails, the others stay as they are, and so do their outputs", async () => {
  world.admin.steer({ deployment: "support-development", verdict: "BUILD_FAILED" });
  stack.program(program({ commit: third, approved: second }));
  const up = await stack.up();
  expect(up.code).not.toBe(0);
  // The change, and the rollback.
  expect(new Set(await writes())).toEqual(new Set(["PATCH support-development", "POST support-development"]));
  expect(await running()).toMatchObject({ "support-staging": "2", "support-production": "2" });
  expect(await outputs()).toMatchObject({ staging: second, production: second });
});

test("production goes back to an older commit where the program says that it may", async () => {
  world.admin.steer({ deployment: "support-development", verdict: "DEPLOYED" });
  stack.program(program({ commit: second, approved: first, more: "allowUnverified: true" }));
  const up = await stack.up();
  expect(up.code === 0 ? "" : up.output).toBe("");
  expect(await running()).toMatchObject({ "support-staging": "2", "support-production": "1" });
});
