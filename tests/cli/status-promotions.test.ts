import { promotionsIn } from "../../cli/status/promotions";
import { showStatus, type StatusOptions } from "../../cli/status/show-status";
import { World } from "../provider/world";
import { temporaryFolder } from "../tools/temporary-folder";
import { Run } from "./connection-run";

const [first, second] = ["1".repeat(40), "2".repeat(40)];
const stackUrn = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev";
const componentUrn = "urn:pulumi:dev::shop::agentserver:index:Environments::support";
const waiting = `production does not exist yet; 1111111 has been verified in staging since 2026-01-05 10:00 UTC and is waiting for approval: run \`pulumi config set --stack acme/production approved ${first}\`.`;

function verified(artifact: string) {
  const entry = {
    source: "github",
    artifact,
    revisionId: "r-1",
    verifiedAt: "2026-01-05T10:00:00.000Z",
    verification: { ok: true, run: false },
  };
  return { current: entry, history: [entry] };
}

/** Returns the resources of one environment. */
function environment(name: string, type: string, artifact: string) {
  const service = `${componentUrn.replace("Environments::support", "Environments$agentserver:index:AgentService")}::support-${name}`;
  const outputs = { name: `support-agent-${name}`, verified: verified(artifact) };
  return [
    { urn: service, type: "agentserver:index:AgentService", parent: componentUrn },
    { urn: `urn:pulumi:dev::shop::${type}::support-${name}`, type, parent: service, outputs },
  ];
}

const dynamic = "pulumi-nodejs:dynamic/agentserver:Deployment";
const plugin = "agentserver:index:Deployment";

/** Returns the state of a stack whose component does not declare its environments in alphabetical order. */
const stateOf = (type: string) => ({
  version: 3,
  deployment: {
    resources: [
      { urn: stackUrn, type: "pulumi:pulumi:Stack" },
      {
        urn: componentUrn,
        type: "agentserver:index:Environments",
        parent: stackUrn,
        outputs: { environments: ["test", "staging", "production"], waiting: { production: waiting } },
      },
      ...environment("staging", type, first),
      ...environment("test", type, second),
      { ...environment("production", type, first)[1], delete: true },
    ],
  },
});

const row = (name: string, artifact: string | null) => ({
  environment: name,
  deployment: artifact === null ? null : `support-agent-${name}`,
  artifact,
  verifiedSince: artifact === null ? null : "2026-01-05T10:00:00.000Z",
  waitingFor: null,
});

test.each([dynamic, plugin])("lists environments in the order of promotion (resource type %s)", (type) => {
  expect(promotionsIn(stateOf(type))).toEqual([
    row("test", second),
    row("staging", first),
    { ...row("production", null), waitingFor: waiting },
  ]);
});

test("lists other verified deployments with the promotion message in the stack's outputs", () => {
  const deployment = (name: string, value: unknown) => ({
    urn: `urn:pulumi:dev::shop::${plugin}::${name}`,
    type: plugin,
    parent: stackUrn,
    outputs: { name: `${name}-agent`, verified: value },
  });
  const sentence = "sales-agent stays at 1111111; 2222222 has been verified in staging.";
  const encrypted = {
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    ciphertext: "x",
  };
  const state = {
    deployment: {
      resources: [
        { urn: stackUrn, type: "pulumi:pulumi:Stack", outputs: { waiting: sentence } },
        deployment("sales", verified(first)),
        deployment("support", verified(second)),
        deployment("unverified", { history: [] }),
        deployment("hidden", encrypted),
      ],
    },
  };
  expect(promotionsIn(state)).toEqual([
    { ...row("sales-agent", first), deployment: "sales-agent", waitingFor: sentence },
    { ...row("support-agent", second), deployment: "support-agent" },
  ]);
});

test("lists an agent's deployment with the promotion message in the stack's outputs", () => {
  const sentence = "sales (production) stays at main; 2222222 has been verified in staging.";
  const agent = { agentId: "sales", environment: "production" };
  const deployment = {
    urn: `urn:pulumi:dev::shop::${plugin}::sales`,
    type: plugin,
    parent: stackUrn,
    outputs: { name: "sales-1f2e", agent, verified: verified(first) },
  };
  const stack = { urn: stackUrn, type: "pulumi:pulumi:Stack", outputs: { waiting: sentence } };
  expect(promotionsIn({ deployment: { resources: [stack, deployment] } })).toEqual([
    { ...row("sales-1f2e", first), deployment: "sales-1f2e", waitingFor: sentence },
  ]);
});

/** Runs the command with a fake `pulumi` command that prints this text. */
async function status(printed: string, options: StatusOptions) {
  const world = await World.start();
  const bin = temporaryFolder({
    pulumi: `#!/bin/sh\n[ "$1 $2" = "stack export" ] && cat <<'END'\n${printed}\nEND\n`,
  });
  const env = { PATH: `${bin}:${process.env["PATH"]}` };
  const run = new Run(world, (context) => showStatus(context, { promotions: true, ...options }), { env });
  return { code: await run.ended, stdout: run.stdout, stderr: run.stderr };
}

test("prints a table and one sentence for each waiting environment", async () => {
  const { code, stdout } = await status(JSON.stringify(stateOf(dynamic)), { stack: "dev" });
  expect(code).toBe(0);
  expect(stdout.split("\n")).toEqual([
    "ENVIRONMENT  DEPLOYMENT             ARTIFACT  VERIFIED SINCE (UTC)",
    "test         support-agent-test     2222222   2026-01-05 10:00:00",
    "staging      support-agent-staging  1111111   2026-01-05 10:00:00",
    "production   none                   none",
    "",
    waiting,
    "",
  ]);
});

test("prints the environments as JSON", async () => {
  const { stdout } = await status(JSON.stringify(stateOf(plugin)), { stack: "dev", json: true });
  expect(JSON.parse(stdout)).toEqual(promotionsIn(stateOf(plugin)));
});

test.each<[string, StatusOptions, string]>([
  ["requires a stack", {}, "--promotions reads the state of a stack: pass --stack."],
  [
    "reports malformed output without repeating it",
    { stack: "dev" },
    'The state of the stack "dev" could not be read: `pulumi stack export` did not print valid JSON.',
  ],
])("%s", async (_, options, message) => {
  const { code, stderr } = await status('{"secret"', options);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('"secret"');
});
