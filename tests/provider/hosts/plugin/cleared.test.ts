import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { unknownValue } from "@pulumi/pulumi/runtime";
import { deploymentKind } from "../../../../provider/deployment/kind";
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

async function check(news: object): Promise<messages.CheckResponse> {
  const request = new messages.CheckRequest().setUrn(urn).setOlds(struct({})).setNews(struct(news));
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

test("keeps an unknown group, which may contain the input", async () => {
  const response = await check({ ...agent(), sourceConfig: unknownValue, clear: ["sourceConfig.customUrl"] });
  expect(reasons(response)).toEqual([]);
  expect(propsIn(response.getInputs())).toMatchObject({ sourceConfig: unknownValue });
});

test.each([
  [
    "an input that is set",
    { displayName: "Support", clear: ["displayName"] },
    "clear: remove displayName from this list, or omit the input displayName",
  ],
  [
    "an input that cannot be null",
    { clear: ["environmentVariables"] },
    expect.stringMatching(/^environmentVariables: /),
  ],
  ["an input that does not exist", { clear: ["displayNam"] }, expect.stringMatching(/^displayNam: /)],
  [
    "a text instead of a list",
    { clear: "displayName" },
    "clear: must be a list of paths of inputs, which are known in previews",
  ],
  [
    "an unknown path",
    { clear: [unknownValue] },
    "clear: must be a list of paths of inputs, which are known in previews",
  ],
])("reports %s in `clear`", async (_case, change, reason) => {
  expect(reasons(await check({ ...agent(), ...change }))).toEqual([reason]);
});
