import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promotionsIn } from "../../cli/status/promotions";
import { startControlPlane } from "../../emulator/index";
import { repositoryRoot } from "../../tools/repository";
import { canaries } from "./canaries";
import type { Stack } from "./stack";
import { World } from "./world";

jest.setTimeout(300_000);

const [first, second, third, fourth] = ["1", "2", "3", "4"].map((digit) => digit.repeat(40));

let world: World;
let stack: Stack;

beforeAll(async () => {
  world = await World.start();
  world.admin.steer({ pace: "at once" });
  stack = await world.stack("shop");
});
afterAll(() => world?.end());

function declare(commit: string, production = "support-agent-production"): void {
  stack.program(`
const { Environments } = require("pulumi-agentserver");
const support = new Environments("support", {
  name: "support-agent",
  source: "github",
  sourceConfig: { repoUrl: "https://git.example.com/agents.git" },
  sourceRevisionConfig: { repoRef: "${commit}", graphConfigPath: "langgraph.json" },
  rollout: { timeout: "1m", verify: { ok: false } },
  environments: [
    { environment: "development" },
    { environment: "staging", environmentVariables: { STAGE: "staging" } },
    { environment: "production", name: "${production}", gate: { approvedFrom: "approved" } },
  ],
});
exports.serves = support.serves;
`);
}

/** Returns the first character of the ref of each deployment's newest revision, keyed by deployment name. */
async function built(): Promise<Record<string, string>> {
  const { resources } = await world.get<{
    resources: { name: string; latest_revision: { source_revision_config: { repo_ref: string } } }[];
  }>("/v2/deployments");
  const refs = await Promise.all(
    (await world.deployments()).map(async ({ id, name }) => {
      const revisions = await world.get<{ resources: { source_revision_config: { repo_ref: string } }[] }>(
        `/v2/deployments/${id}/revisions`,
      );
      return [name, revisions.resources[0]!.source_revision_config.repo_ref[0]];
    }),
  );
  expect(resources).toHaveLength(refs.length);
  return Object.fromEntries(refs) as Record<string, string>;
}

const requests = () =>
  world.writes().map(({ request }) => request.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID"));

/** Returns the messages of the component, with times replaced. */
const said = ({ diagnostics }: { diagnostics: { message: string; urn?: string }[] }) =>
  diagnostics
    .filter(({ urn }) => urn?.includes("agentserver:index:Environments::"))
    .map(({ message }) => message.trim().replace(/since [-0-9]+ [0-9:]+ UTC/, "since then"));

async function up() {
  const run = await stack.up();
  expect(run.code === 0 ? "" : run.output).toBe("");
  return run;
}

test("creates only environments that need no approval, and says so in the first preview", async () => {
  declare(first!);
  const preview = await stack.preview();
  expect(preview.code === 0 ? "" : preview.output).toBe("");
  expect(said(preview)).toEqual([
    "Promotion: production does not exist yet; a new artifact that staging verifies in this update requires approval.",
  ]);
  const run = await up();
  expect(said(run)).toEqual([
    `Promotion: production does not exist yet; 1111111 has been verified in staging since then and is waiting for approval: run \`pulumi config set --stack ${stack.name} approved ${first}\`.`,
  ]);
  expect(run.steps).toEqual(expect.arrayContaining(["create support-development", "create support-staging"]));
  expect(promotionsIn({ deployment: await stack.state() })).toEqual([
    expect.objectContaining({ environment: "development", artifact: first, waitingFor: null }),
    expect.objectContaining({ environment: "staging", artifact: first, waitingFor: null }),
    expect.objectContaining({
      environment: "production",
      deployment: null,
      waitingFor: expect.stringContaining(
        `run \`pulumi config set --stack ${stack.name} approved ${first}\``,
      ),
    }),
  ]);
  expect(requests()).toEqual(["POST /v2/deployments", "POST /v2/deployments"]);
  expect(await built()).toEqual({ "support-agent-development": "1", "support-agent-staging": "1" });
});

test("prints an error in a gate without a stack trace", async () => {
  await stack.config("approved", "123");
  const { code, output } = await stack.preview();
  expect(code).not.toBe(0);
  expect(output).toContain(
    'error: Environments "support": gate.approvedFrom: the configuration key approved must be a commit',
  );
  expect(output).not.toMatch(/AgentServerError|PromiseRejectionHandledWarning|^ +at /m);
});

test("creates an approved environment", async () => {
  await stack.config("approved", "1111111");
  expect(said(await up())).toEqual([]);
  expect(requests()).toEqual(["POST /v2/deployments"]);
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
});

test("promotes a new commit through the environments up to the gate in one update", async () => {
  declare(second!);
  const preview = await stack.preview();
  expect(said(preview)).toEqual([
    "Promotion: production stays at 1111111; a new artifact that staging verifies in this update requires approval.",
  ]);
  expect(preview.changes).toMatchObject({ update: 2 });
  const run = await up();
  expect(requests()).toEqual(["PATCH /v2/deployments/ID", "PATCH /v2/deployments/ID"]);
  expect(await built()).toEqual({
    "support-agent-development": "2",
    "support-agent-staging": "2",
    "support-agent-production": "1",
  });
  expect(said(run)).toEqual([
    `Promotion: production stays at 1111111; 2222222 has been verified in staging since then and is waiting for approval: run \`pulumi config set --stack ${stack.name} approved ${second}\`.`,
  ]);
  expect(said(await stack.preview("--expect-no-changes"))).toEqual(said(run));
});

test("changes only production if only the approval changes", async () => {
  await stack.config("approved", second!);
  expect(await up()).toMatchObject({ changes: { update: 1 } });
  expect(requests()).toEqual(["PATCH /v2/deployments/ID"]);
  expect(await built()).toMatchObject({ "support-agent-production": "2" });
});

test("keeps the other environments and their outputs if a rollout in development fails", async () => {
  declare(third!);
  world.admin.steer({
    deployment: "support-agent-development",
    statuses: ["BUILDING", "BUILD_FAILED"],
    pace: "at once",
    times: 1,
  });
  const run = await stack.up();
  expect(run.code).not.toBe(0);
  expect(requests()).toEqual(["PATCH /v2/deployments/ID"]);
  expect(await built()).toEqual({
    "support-agent-development": "3",
    "support-agent-staging": "2",
    "support-agent-production": "2",
  });
  const { outputs } = (await stack.state()).resources.find(({ type }) => type === "pulumi:pulumi:Stack")!;
  expect(outputs!["serves"]).toEqual({ development: second, staging: second, production: second });
  for (const name of ["support-staging", "support-production"])
    expect((await stack.resource(name))!.outputs!["url"]).toBeTruthy();
});

test("does not promote an unverified commit to production even if it is approved", async () => {
  declare(fourth!);
  await stack.config("approved", third!);
  const run = await up();
  expect(requests()).toEqual(["PATCH /v2/deployments/ID", "PATCH /v2/deployments/ID"]);
  expect(await built()).toMatchObject({ "support-agent-staging": "4", "support-agent-production": "2" });
  expect(said(run)).toEqual([
    `Promotion: production stays at 2222222; 3333333 is approved, but staging has not verified it; 4444444 has been verified in staging since then and is waiting for approval: run \`pulumi config set --stack ${stack.name} approved ${fourth}\`.`,
  ]);
});

test("reverts staging together with development, but not production", async () => {
  declare(first!);
  await up();
  expect(await built()).toEqual({
    "support-agent-development": "1",
    "support-agent-staging": "1",
    "support-agent-production": "2",
  });
});

test("does not change production if an approval is removed", async () => {
  requests();
  await stack.run("config", "rm", "approved", "--stack", stack.name);
  const run = await up();
  expect(said(run)).toEqual([
    `Promotion: production stays at 2222222; 1111111 has been verified in staging since then and is waiting for approval: run \`pulumi config set --stack ${stack.name} approved ${first}\`.`,
  ]);
  expect(requests()).toEqual([]);
});

test("keeps the name of production if the program renames it before its gate has passed", async () => {
  const names = async () => (await world.deployments()).map(({ name }) => name).sort();
  const before = await names();
  declare(second!, "renamed-production");
  for (const run of [await stack.preview(), await stack.up()]) {
    expect(run.code).toBe(0);
    expect(run.output).toMatch(/production stays at [0-9a-f]{7} and keeps its previous name; /);
  }
  expect(await names()).toEqual(before);
  expect(requests().filter((request) => /^(POST|DELETE) .v2.deployments/.test(request))).toEqual([]);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await world.deployments()).toEqual([]);
});

test("promotes a folder after the first environment has verified it", async () => {
  const state = join(world.folder, "folders-state");
  const plane = await startControlPlane({
    state,
    apiKey: canaries.apiKey,
    tenantId: "tenant-1",
    dialect: "langsmith",
  });
  plane.admin.steer({ pace: "at once" });
  try {
    const folders = await world.stack("folders", "", undefined, { AGENTSERVER_BASE_URL: plane.baseUrl });
    cpSync(join(repositoryRoot, "examples", "local-folder", "agent"), join(folders.folder, "agent"), {
      recursive: true,
    });
    folders.program(`
const { Environments } = require("pulumi-agentserver");
new Environments("support", {
  name: "support-agent", source: "internal_source", sourceConfig: { deploymentType: "serverless" },
  sourceRevisionConfig: { folder: "./agent" }, rollout: { timeout: "1m", verify: { ok: false } },
  environments: [{ environment: "development" }, { environment: "staging" }],
});`);
    const first = await folders.up();
    expect(first.code === 0 ? "" : first.output).toBe("");
    expect(await folders.preview("--expect-no-changes")).toMatchObject({ code: 0 });
    writeFileSync(join(folders.folder, "agent", "notes.md"), "Another content.");
    const failing = { statuses: ["BUILDING", "BUILD_FAILED"], times: 1 };
    plane.admin.steer({ deployment: "support-agent-development", pace: "at once", ...failing });
    plane.admin.clearJournal();
    expect((await folders.up()).code).not.toBe(0);
    const uploads = () =>
      plane.admin.journal({ writes: true }).filter(({ method }) => method === "PATCH").length;
    expect(uploads()).toBe(1);
    expect(await folders.up()).toMatchObject({ code: 0, changes: { update: 2 } });
    expect(uploads()).toBe(3);
    expect(await folders.destroy()).toMatchObject({ code: 0 });
  } finally {
    await plane.close();
  }
});
