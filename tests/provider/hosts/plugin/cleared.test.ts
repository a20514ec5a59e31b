import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { unknownValue } from "@pulumi/pulumi/runtime";
import { cronKind } from "../../../../provider/cron/kind";
import { deploymentKind } from "../../../../provider/deployment/kind";
import { clearablePaths, withCleared } from "../../../../provider/hosts/plugin/cleared";
import { listenerKind } from "../../../../provider/listener/kind";
import { SessionPool } from "../../../../provider/session/session-pool";
import { agent, World } from "../../world";
import { connect, propsIn, send, struct } from "./client";

const urn = "urn:pulumi:dev::shop::agentserver:index:Deployment::agent";
let world: World;
let provider: Awaited<ReturnType<typeof connect>>;

beforeEach(async () => {
  world = await World.start();
  const sessions = new SessionPool({ env: world.environment, clock: world.time, random: () => 0.5 });
  provider = await connect({ kindOf: () => deploymentKind(), sessions, log: world.log, schema: () => "{}" });
});

async function check(news: object, olds: object = {}): Promise<messages.CheckResponse> {
  const request = new messages.CheckRequest().setUrn(urn).setOlds(struct(olds)).setNews(struct(news));
  return send(provider, "check", request);
}

const reasons = (response: messages.CheckResponse) =>
  response.getFailuresList().map((failure) => failure.getReason());

const customUrl = "https://agents.example.com";

test("sends null for the inputs in `clear`, like a program that can declare null", async () => {
  const { sourceConfig } = agent();
  const declared = await check(agent({ sourceConfig: { ...sourceConfig, customUrl } }));
  const created = await send(
    provider,
    "create",
    new messages.CreateRequest().setUrn(urn).setProperties(declared.getInputs()),
  );
  world.admin.clearJournal();

  const cleared = await check({ ...agent(), clear: ["sourceConfig.customUrl"] });
  expect(reasons(cleared)).toEqual([]);
  const withNull = await check(agent({ sourceConfig: { ...sourceConfig, customUrl: null } }));
  expect(propsIn(cleared.getInputs())).toEqual(propsIn(withNull.getInputs()));
  const update = new messages.UpdateRequest().setUrn(urn).setId(created.getId());
  await send(provider, "update", update.setOlds(created.getProperties()).setNews(cleared.getInputs()));
  expect(world.admin.journal({ writes: true })).toMatchObject([
    { method: "PATCH", body: { source_config: { custom_url: null } } },
  ]);
});

test("keeps an unknown object, which may contain the input to clear", async () => {
  const response = await check({ ...agent(), sourceConfig: unknownValue, clear: ["sourceConfig.customUrl"] });
  expect(reasons(response)).toEqual([]);
  expect(propsIn(response.getInputs())).toMatchObject({ sourceConfig: unknownValue });
});

test("keeps a value in `ignoreChanges`, which the engine takes from the earlier inputs", async () => {
  const ignored = agent({ sourceConfig: { ...agent().sourceConfig, customUrl } });
  const response = await check({ ...ignored, clear: ["sourceConfig.customUrl"] }, ignored);
  expect(reasons(response)).toEqual([]);
  expect(propsIn(response.getInputs())).toMatchObject({ sourceConfig: { customUrl } });
  expect(world.log.lines("warning")).toEqual([
    "`clear` contains sourceConfig.customUrl, but this input keeps its value, because the program sets it or ignores changes to it.",
  ]);
});

test.each([
  [
    "an input that is set",
    { sourceConfig: { ...agent().sourceConfig, customUrl }, clear: ["sourceConfig.customUrl"] },
    "clear: remove sourceConfig.customUrl from this list, or omit the sourceConfig.customUrl input",
  ],
  [
    "an input that no control plane can clear",
    { clear: ["displayName"] },
    "clear: displayName cannot be cleared; the possible paths are sourceConfig.customUrl, sourceConfig.resourceSpec, sourceRevisionConfig.imageUri",
  ],
  [
    "a misspelled input",
    { clear: ["source_config.custom_url"] },
    "clear: source_config.custom_url cannot be cleared; did you mean sourceConfig.customUrl?",
  ],
  ["the owner ID", { clear: ["ownerId"] }, expect.stringMatching(/^clear: ownerId cannot be cleared;/)],
  [
    "a string instead of a list",
    { clear: "sourceConfig.customUrl" },
    "clear: must be a list of input paths that is known in previews",
  ],
  [
    "an unknown path",
    { clear: [unknownValue] },
    "clear: must be a list of input paths that is known in previews",
  ],
])("reports an invalid `clear`: %s", async (_case, change, reason) => {
  expect(reasons(await check({ ...agent(), ...change }))).toEqual([reason]);
});

const clearable = ["config", "config.tags", "enabled"];

test.each([
  ["config", "config.tags"],
  ["config.tags", "config"],
])("clears a group and its paths in any order: %s, %s", (...clear) => {
  expect(withCleared({ clear }, clearable).values).toEqual({ config: null });
});

test.each([[["tag"]], ["text"]])(
  "leaves the group %j, which is not an object, to the input checks",
  (config) => {
    expect(withCleared({ config, clear: ["config.tags"] }, clearable)).toEqual({
      values: { config },
      failures: [],
      kept: [],
    });
  },
);

test("clears the input of a cron, which may have any value", () => {
  expect(withCleared({ clear: ["input"] }, clearablePaths(cronKind())).values).toEqual({ input: null });
});

test("leaves `clear` on a resource without clearable inputs to the input checks", () => {
  const inputs = { clear: ["name"] };
  expect(withCleared(inputs, clearablePaths(listenerKind()))).toMatchObject({ values: inputs, failures: [] });
});
