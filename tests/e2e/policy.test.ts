import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canaries } from "./canaries";
import { declaring } from "./programs";
import { World } from "./world";

let world: World;

beforeAll(async () => {
  world = await World.start();
});
beforeEach(async () => {
  await world.admin.reset();
  world.admin.steer({ pace: "at once" });
});
afterAll(() => world.end());

/** Writes a policy pack with these policies and returns its folder. */
function policyPack(name: string, policies: string): string {
  const folder = join(world.folder, "policies", name);
  mkdirSync(folder, { recursive: true });
  const files = {
    "PulumiPolicy.yaml": "runtime: nodejs\n",
    "package.json": JSON.stringify({ name, version: "1.0.0", main: "index.js" }),
    "index.js": `
const { PolicyPack, validateResourceOfType, remediateResourceOfType } = require("@pulumi/policy");
const { Deployment } = require("pulumi-agentserver");
new PolicyPack("${name}", { policies: [${policies}] });`,
  };
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content);
  return folder;
}

const noMovingRefs = `{
  name: "no-moving-refs",
  description: "Deployments are pinned.",
  enforcementLevel: "mandatory",
  validateResource: validateResourceOfType(Deployment, (deployment, args, report) => {
    const { repoRef } = deployment.sourceRevisionConfig;
    if (repoRef === "main") report(deployment.name + " follows " + repoRef + ", which moves");
  }),
}`;

test("stops a program that violates a policy for Deployment, and creates nothing", async () => {
  const stack = await world.stack("violating", declaring({ sourceRevisionConfig: { repoRef: "main" } }));
  const pack = policyPack("pinned", noMovingRefs);

  for (const run of [
    await stack.preview("--policy-pack", pack),
    await stack.run("up", "--yes", "--skip-preview", "--policy-pack", pack),
  ]) {
    expect(run.code).not.toBe(0);
    expect(run.output).toContain("support-agent follows main, which moves");
    expect(run.events.flatMap(({ policyEvent }) => policyEvent ?? [])).toMatchObject([
      { resourceUrn: stack.urn("agent"), policyName: "no-moving-refs", enforcementLevel: "mandatory" },
    ]);
  }
  expect(world.writes()).toEqual([]);
});

test("deploys a program that complies with the policy", async () => {
  const stack = await world.stack("compliant", declaring());
  const pack = policyPack("pinned", noMovingRefs);

  const up = await stack.run("up", "--yes", "--skip-preview", "--policy-pack", pack);

  expect(up).toMatchObject({ code: 0, changes: { create: 2 } });
  expect(up.events.filter(({ policyEvent }) => policyEvent)).toEqual([]);
});

test("applies a remediation to the sent inputs, and keeps their secrets and the provider", async () => {
  const stack = await world.stack("remediated", declaring({ secrets: { MODEL_KEY: canaries.modelKey } }));
  const pack = policyPack(
    "quiet-branches",
    `{
  name: "no-build-on-push",
  description: "Pushes make no revisions.",
  enforcementLevel: "remediate",
  remediateResource: remediateResourceOfType(Deployment, (deployment, args) => {
    args.props.sourceConfig.buildOnPush = false;
    return args.props;
  }),
}`,
  );
  const up = () => stack.run("up", "--yes", "--skip-preview", "--policy-pack", pack);

  expect(await up()).toMatchObject({ code: 0, changes: { create: 2 } });

  expect(world.writes()).toMatchObject([
    {
      body: {
        source_config: { repo_url: "https://git.example.com/agents.git", build_on_push: false },
        secrets: [{ name: "MODEL_KEY" }, { name: "AGENTSERVER_OWNER" }],
      },
    },
  ]);
  expect((await stack.resource("agent"))!.outputs).toMatchObject({
    __provider: 'exports.handler = () => require("pulumi-agentserver/provider").provider;',
    sourceConfig: { buildOnPush: false },
  });
  expect(await up()).toMatchObject({ code: 0, changes: { same: 2 } });
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await world.deployments()).toEqual([]);
});
