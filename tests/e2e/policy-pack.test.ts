import { policies } from "../../policies/rules";
import { canaries } from "./canaries";
import type { EngineRun } from "./engine-run";
import { installPolicyPack, packConfig } from "./policy-pack-installed";
import { agentArgs, declaring } from "./programs";
import { scriptedAgents } from "../provider/scripted-agent";
import { World } from "./world";

const token = "ghp_canaryCanaryCanary0123456789abcdefgh";

/** Program that violates every policy for the inputs of a deployment, with secrets in both secret and plain fields. */
const violating = `
new Deployment("broken", {
  name: pulumi.secret(${JSON.stringify(canaries.modelKey)}),
  source: "github",
  sourceConfig: {
    repoUrl: "https://git.example.com/agents.git",
    deploymentType: "dev",
    buildOnPush: true,
    resourceSpec: { cpu: 64, minScale: 0, labels: { note: "${token}" }, sidecars: [{ image: "nginx:1" }] },
  },
  sourceRevisionConfig: { repoRef: "main" },
  secrets: { PATH: ${JSON.stringify(canaries.greeting)} },
  rollout: { timeout: "10s" },
});`;

/** Arguments of a deployment that complies with all policies. */
const complying = agentArgs({
  sourceConfig: {
    repoUrl: "https://git.example.com/agents.git",
    deploymentType: "prod",
    buildOnPush: false,
    resourceSpec: { cpu: 1, minScale: 1 },
  },
  secrets: { MODEL_KEY: canaries.modelKey },
  rollout: { timeout: "20m", onFailure: "rollback", verify: {} },
});

let world: World;
let pack: string;
let strict: string;

beforeAll(async () => {
  world = await World.start({ runner: scriptedAgents() });
  pack = await installPolicyPack(world.folder);
  strict = packConfig(world.folder, "strict", {
    "allowed-repositories": { allow: ["git.example.com/agents"] },
    "allowed-registries": { allow: ["ghcr.io/acme/**"] },
    "required-secrets": { names: ["MODEL_KEY"] },
    "allowed-control-planes": { hosts: ["127.0.0.1:*"], tenants: ["tenant-1"] },
    "deployment-count": { max: 2 },
  });
});
beforeEach(() => world.admin.reset());
afterAll(() => world.end());

/** Returns the enforcement levels of the policies that reported a message about a resource, or about the stack. */
function levelsOf(run: EngineRun, urn: string): Record<string, string> {
  const events = run.events.flatMap(({ policyEvent }) => policyEvent ?? []);
  const about = events.filter(({ resourceUrn }) => resourceUrn === urn);
  return Object.fromEntries(about.map(({ policyName, enforcementLevel }) => [policyName, enforcementLevel]));
}

const all = (level: string, ...names: string[]) => Object.fromEntries(names.map((name) => [name, level]));

test("reports all violations with the resource, the field, and the fix, without secrets", async () => {
  const stack = await world.stack(
    "prod-violating",
    `${violating}
const other = new Deployment("other", ${JSON.stringify(complying)}, { protect: true });
const depending = ${JSON.stringify({ ...complying, name: "depending" })};
depending.sourceConfig.repoUrl = other.latestRevisionId;
new Deployment("depending", depending, { protect: true });
new Cron("often", {
  deployment: other, assistant: "agent", schedule: "* * * * *", webhook: "http://hooks.example.com/a",
  metadata: { note: "${token}" },
});
new Thread("inbox", { deployment: other, forceDelete: true });`,
  );
  const config = packConfig(world.folder, "violated", {
    "allowed-repositories": { allow: ["github.com/acme/*"] },
    "allowed-registries": { allow: ["ghcr.io/acme/**"] },
    "required-secrets": { names: ["MODEL_KEY"] },
    "allowed-control-planes": { regions: ["eu"], tenants: ["tenant-2"] },
    "deployment-count": { max: 2 },
  });

  const run = await stack.preview("--policy-pack", pack, "--policy-pack-config", config);

  expect(run.code).not.toBe(0);
  // The last policy applies only to deployments without a name.
  const notAboutInputs = ["replacing-inputs-known", "deployment-count", "environment-of-stack"];
  const aboutDeployments = policies.filter(
    (policy) => policy.kind === "stack" || policy.about.includes("Deployment"),
  );
  const aboutInputs = aboutDeployments
    .map(({ name }) => name)
    .filter((name) => !notAboutInputs.includes(name));
  expect(levelsOf(run, stack.urn("broken"))).toEqual(all("mandatory", ...aboutInputs));
  expect(levelsOf(run, stack.urn("depending"))).toEqual({
    ...all("mandatory", "replacing-inputs-known", "allowed-control-planes"),
    ...all("advisory", "allowed-repositories", "no-plain-secrets"),
  });
  const type = (kind: string) => `pulumi-nodejs:dynamic/agentserver:${kind}`;
  expect(levelsOf(run, stack.urn("often", type("Cron")))).toEqual({
    "cron-interval": "advisory",
    ...all("mandatory", "no-plain-secrets", "webhooks"),
  });
  expect(levelsOf(run, stack.urn("inbox", type("Thread")))).toEqual(all("mandatory", "threads-kept"));
  expect(run.output).toContain('Deployment "broken": sourceConfig.buildOnPush is on. Set it to false.');
  expect(run.output).toContain(
    'Deployment "broken": sourceConfig.resourceSpec.sidecars[0].image has no digest. Add the digest: ',
  );
  expect(run.output).toContain('Stack "prod-violating": it contains 3 deployments. ');
  expect(run.output).toContain(
    'Deployment "depending": cannot be evaluated yet: sourceConfig.repoUrl will only be known during the update.',
  );
  expect(run.output).not.toContain(token);
  expect(world.writes()).toEqual([]);
});

test("deploys a compliant stack and reads the workspace from its configuration", async () => {
  const stack = await world.stack("prod-complying", declaring(complying, { protect: true }));
  stack.environment("AGENTSERVER_TENANT_ID", undefined);
  await stack.config("agentserver:tenantId", "tenant-1");

  const run = await stack.run(
    "up",
    "--yes",
    "--skip-preview",
    "--policy-pack",
    pack,
    "--policy-pack-config",
    strict,
  );

  expect(run).toMatchObject({ code: 0, changes: { create: 2 } });
  expect(run.events.filter(({ policyEvent }) => policyEvent)).toEqual([]);
});

test("enforces each policy as configured", async () => {
  const stack = await world.stack("prod-lenient", violating);
  const config = packConfig(world.folder, "lenient", {
    all: "advisory",
    "no-plain-secrets": "disabled",
    "scale-to-zero": "remediate",
    "no-build-on-push": { stacks: ["other"] },
  });

  const run = await stack.preview("--policy-pack", pack, "--policy-pack-config", config);

  expect(run).toMatchObject({ code: 0, changes: { create: 2 } });
  const levels = levelsOf(run, stack.urn("broken"));
  expect(levels).toMatchObject(all("advisory", "source-pinned", "protected", "deployment-names"));
  expect(levels).not.toHaveProperty("no-plain-secrets");
  expect(levels).not.toHaveProperty("no-build-on-push");
  expect(levels).not.toHaveProperty("scale-to-zero");
});

test("rejects a setting of an invalid type", async () => {
  const stack = await world.stack("prod-misconfigured", declaring());
  const config = packConfig(world.folder, "wrong", { "deployment-count": { max: "many" } });

  const run = await stack.preview("--policy-pack", pack, "--policy-pack-config", config);

  expect(run.code).not.toBe(0);
  expect(run.output).toContain("deployment-count: max: Invalid type. Expected: integer, given: string");
});

test("applies remediations to the sent inputs, and preserves secrets and hidden inputs", async () => {
  const stack = await world.stack(
    "prod-remedied",
    `const args = ${JSON.stringify({ ...complying, rollout: { wait: false, timeout: "3h" } })};
args.sourceConfig.buildOnPush = true;
args.sourceConfig.resourceSpec = { minScale: 0, labels: { team: pulumi.secret(${JSON.stringify(canaries.greeting)}) } };
const agent = new Deployment("agent", args);`,
  );
  const config = packConfig(world.folder, "remedied", { all: "remediate", protected: "disabled" });
  const up = () =>
    stack.run("up", "--yes", "--skip-preview", "--policy-pack", pack, "--policy-pack-config", config);

  const first = await up();

  expect(first).toMatchObject({ code: 0, changes: { create: 2 } });
  expect(first.output).toContain("[remediate]");
  expect(world.writes()).toMatchObject([
    {
      request: "POST /v2/deployments",
      body: {
        source_config: {
          build_on_push: false,
          resource_spec: { min_scale: 1, labels: { team: expect.any(String) } },
        },
        secrets: [{ name: "MODEL_KEY" }, { name: "AGENTSERVER_OWNER" }],
      },
    },
  ]);
  const { inputs, outputs } = (await stack.resource("agent"))!;
  for (const held of [inputs, outputs])
    expect(held).toMatchObject({
      __provider: 'exports.handler = () => require("pulumi-agentserver/provider").provider;',
      __call: { urn: stack.urn("agent") },
      sourceConfig: { buildOnPush: false, resourceSpec: { minScale: 1 } },
      rollout: { wait: true, timeout: "1h", onFailure: "rollback", verify: {} },
      secrets: { MODEL_KEY: { ciphertext: expect.any(String) } },
    });
  expect(inputs!.sourceConfig).toMatchObject({
    resourceSpec: { labels: { team: { ciphertext: expect.any(String) } } },
  });

  expect(await up()).toMatchObject({ code: 0, changes: { same: 2 } });
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await world.deployments()).toEqual([]);
});
