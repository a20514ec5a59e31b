import type { DeploymentInputs } from "../../../provider/deployment/inputs/inputs";
import { type DialectName, dialectNames } from "../../../wire";
import { lookingAhead } from "../../provider/deployment/questions/previews";
import { scriptedAgents } from "../../provider/scripted-agent";
import type { Stack } from "../../provider/stack";
import { agent, agentAt, canary, World } from "../../provider/world";
import { published } from "../facts/published";
import { type Exceptions, unexplained } from "../judge/exceptions";
import { type Exchange, Judge } from "../judge/exchange";

const documents = { interface: published.interface, langsmith: published.controlPlane };

/** Requests that are not in the document of the dialect. */
const exceptions: Record<DialectName, Exceptions> = {
  interface: [
    [/^GET \/openapi\.json: not published$/, "where a description is, if there is one"],
    [
      /^GET \/v2\/deployments(\/\{deployment_id\}\/revisions)? query (limit|offset|name_contains): not published$/,
      "not specified; a server that does not support them returns all rows",
    ],
    [/^GET \S+\/logs: not published$/, "for the end of a log; nothing is missed where there is none"],
    [/^GET \/v1\/integrations\/\S+: not published$/, "the group is named, its paths are not; a preview asks"],
  ],
  langsmith: [[/^GET \/openapi\.json: not published$/, "where the description is"]],
};

/** Returns the inputs for an image, with a resource specification. */
function image(imageUri: string, cpu: number, more: object = {}): DeploymentInputs {
  const resourceSpec = {
    minScale: 1,
    maxScale: 3,
    cpu,
    memoryMb: 1024,
    labels: { team: "a" },
    dbStorageGi: 10,
  };
  return {
    name: "image-agent",
    source: "external_docker",
    sourceConfig: { resourceSpec, customUrl: "https://agent.example.test", ...more },
    sourceRevisionConfig: { imageUri },
    secrets: { MODEL_KEY: `${canary}-model` },
  };
}

/** Runs all operations of a stack for a deployment from a git repository, including failures. */
async function liveFromGit(world: World, integrationId: string): Promise<void> {
  const config = { ...agent().sourceConfig, integrationId };
  const first = agent({ sourceConfig: config });
  const stack = world.stack();
  await up(stack, first);
  await up(stack, first);
  await up(stack, { ...first, sourceConfig: { ...config, buildOnPush: true } });
  await up(stack, { ...first, secrets: { OTHER: `${canary}-other` } });
  await up(stack, { ...first, secrets: {} });
  await up(stack, { ...first, secrets: { NEW: "new-value" }, rollout: { onSecretChange: "revise" } });
  world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
  expect((await stack.up(agentAt("v2", { sourceConfig: config }))).failure?.message).toContain(
    "BUILD_FAILED",
  );
  await up(stack, agentAt("v3", { sourceConfig: config }));
  await up(stack, agentAt("v3", { sourceConfig: config, rollout: { triggers: ["tuesday"], wait: false } }));
  await world.clock.advance(600_000);
  await stack.refresh();
  world.admin.steer({ verdict: "DEPLOY_FAILED", times: 1 });
  const back = await stack.up(agentAt("v4", { sourceConfig: config, rollout: { onFailure: "rollback" } }));
  expect(back.failure?.message).toContain("DEPLOY_FAILED");
  await stack.destroy();
}

/** Runs the operations for a deployment from an image, with all inputs that the dialect supports. */
async function liveFromImage(world: World, dialect: DialectName): Promise<void> {
  const listener = { compute_type: "k8s", compute_id: "cluster", compute_config: {} };
  const { id: listenerId } = (await world.request("POST", "/v2/listeners", listener)) as { id: string };
  const placed = { listenerId, listenerConfig: { k8sNamespace: "agents" } };
  const more = dialect === "langsmith" ? placed : {};
  const stack = world.stack();
  await up(stack, image("agent:1", 1, more));
  await up(stack, image("agent:2", 2, more));
  if (dialect === "interface") await up(stack, image("agent:2", 2, { customUrl: null, resourceSpec: null }));
  await stack.destroy();
}

/** Runs the operations for a deployment from a JavaScript repository that is built with custom commands. */
async function liveByCommands(world: World): Promise<void> {
  const by = (buildCommand: string) =>
    agent({ sourceConfig: { ...agent().sourceConfig, installCommand: "npm ci", buildCommand } });
  const stack = world.stack();
  await up(stack, by("make"));
  await up(stack, by("make all"));
  await stack.destroy();
}

async function up(stack: Stack, inputs: DeploymentInputs): Promise<void> {
  const { failure, checkFailures } = await stack.up(inputs);
  expect([failure, checkFailures]).toEqual([undefined, []]);
}

test.each(dialectNames)("sends only documented requests in the %s dialect", async (dialect) => {
  const world = await World.start({ dialect });
  const repositories = [{ name: "agents", url: "https://git.example.com/agents.git" }];
  const integrationId = world.admin.seedIntegration({ name: "acme", repositories });
  await liveFromGit(world, integrationId);
  if (dialect === "langsmith") await liveByCommands(world);
  await liveFromImage(world, dialect);
  const ahead = agent({ sourceConfig: { ...agent().sourceConfig, integrationId } });
  expect((await lookingAhead(world).check(ahead)).failures).toEqual([]);
  expect((await lookingAhead(world).check(image("agent:1", 1))).failures).toEqual([]);

  const judge = new Judge(documents[dialect]);
  const journal = world.admin
    .journal()
    .filter(({ path, method }) => !(method === "POST" && path === "/v2/listeners"));
  const findings = journal.flatMap(({ method, path, query, body }) =>
    judge.request({
      method,
      path: path.replace("/api-host", ""),
      query,
      ...(body !== undefined && { body }),
    }),
  );
  expect(unexplained(findings, exceptions[dialect])).toEqual([]);
  // The control plane also reports no unknown fields.
  expect(journal.flatMap(({ unknownFields }) => unknownFields)).toEqual([]);
  const sent = new Set(journal.flatMap(({ body }) => pathsIn(body)));
  expect([...sent].sort()).toEqual(expect.arrayContaining(everSent[dialect]));
});

/** Fields that the requests of the test must contain, so that the test fails if it no longer covers one. */
const common = [
  "name",
  "secrets",
  "source",
  "source_config.build_on_push",
  "source_config.custom_url",
  "source_config.deployment_type",
  "source_config.integration_id",
  "source_config.repo_url",
  "source_config.resource_spec",
  "source_revision_config.image_uri",
  "source_revision_config.repo_ref",
];
const everSent: Record<DialectName, string[]> = {
  interface: [...common, "source_revision_config.graph_config_path"],
  langsmith: [
    ...common,
    "source_config.build_command",
    "source_config.install_command",
    "source_config.listener_config",
    "source_config.listener_id",
    "source_revision_config.langgraph_config_path",
  ],
};

function pathsIn(body: unknown): string[] {
  if (typeof body !== "object" || body === null) return [];
  return Object.entries(body).flatMap(([name, value]: [string, unknown]) =>
    name.startsWith("source_") && typeof value === "object" && value !== null
      ? Object.keys(value).map((field) => `${name}.${field}`)
      : [name],
  );
}

test("sends only documented requests to an agent server during a verification", async () => {
  const agents = scriptedAgents();
  const world = await World.start({ runner: agents });
  const run = { input: { messages: [{ role: "user", content: "ping" }] }, expect: "pong" };
  await up(world.stack(), agent({ rollout: { verify: { graph: "agent", run } } }));
  const judge = new Judge(published.agentServer);
  // The document requires UUIDs, but the IDs in the script are shorter.
  const id = "33333333-3333-4333-8333-333333333333";
  const exchanges = agents.requests.map((request): Exchange => {
    const [, method = "", target = "", body] = /^(\S+) (\S+)(?: (.*))?$/.exec(request)!;
    const path = target.replace("/threads/T", `/threads/${id}`).replace(/\/runs\/r\b/, `/runs/${id}`);
    return { method, path, ...(body && { body: JSON.parse(body) as unknown }) };
  });
  expect(exchanges.length).toBeGreaterThan(6);
  expect(exchanges.flatMap((exchange) => judge.request(exchange))).toEqual([]);
});
