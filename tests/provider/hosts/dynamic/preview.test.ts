import { unknownValue } from "@pulumi/pulumi/runtime";
import { readReasons } from "../../../../provider/deployment/plan/read-reasons";
import { agent, agentAt, canary, World } from "../../world";

test("returns hidden inputs from check unchanged, and adds only the owner ID", async () => {
  const world = await World.start();
  const stack = world.stack();
  stack.call = { timeouts: { create: "1h" }, organization: "acme" };
  const { inputs } = await stack.check(agent());
  expect(inputs).toEqual({
    ...agent(),
    __call: { urn: stack.urn, timeouts: { create: "1h" }, organization: "acme" },
    __provider: expect.stringContaining("pulumi-agentserver/provider"),
    ownerId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  });
});

test("keeps the owner ID when the resource is renamed or its stack moves", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  stack.call = { urn: "urn:pulumi:prod::shop::pulumi-nodejs:dynamic/agentserver:Deployment::renamed" };
  const { inputs } = await stack.check(agent());
  expect(inputs["ownerId"]).toBe(stack.state.ownerId);
});

test("sends nothing to the control plane, and logs the reasons for the plan with the URN", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  expect(await stack.preview(agentAt("v2"))).toEqual({
    changes: true,
    replaces: [],
    deleteBeforeReplace: true,
  });
  expect(world.admin.journal()).toEqual([]);
  expect(world.log.said).toEqual([
    {
      urn: stack.urn,
      severity: "info",
      message: "needs a new revision: sourceRevisionConfig.repoRef v1 → v2 [revision]",
    },
  ]);
});

test("plans a possible replacement for an unknown value of a field that causes replacement", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  const wanted = agent({ sourceConfig: { ...agent().sourceConfig, repoUrl: unknownValue } });
  expect(await stack.preview(wanted)).toMatchObject({ changes: true, replaces: [] });
  expect(world.log.kept).toBe("may be replaced (value not known yet): sourceConfig.repoUrl [replace?]");
});

test("plans an update for unknown groups", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  const wanted = {
    ...agent(),
    sourceConfig: unknownValue,
    sourceRevisionConfig: unknownValue,
    secrets: unknownValue,
  };
  expect(await stack.preview(wanted)).toMatchObject({ changes: true, replaces: [] });
});

test("supports states that contain hidden call properties", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  const { __call: _call, ...others } = stack.outputs;
  const hidden = {
    __call: { urn: stack.urn, organization: "acme", secretPaths: ["sourceRevisionConfig.repoRef"] },
  };
  stack.outputs = { ...others, ...hidden };
  expect(await stack.preview(agent())).toMatchObject({ changes: false });
  expect(await stack.refresh()).toBe(true);
  expect(stack.outputs).toMatchObject(hidden);
  await stack.destroy();
  expect(world.writes.map(({ method }) => method)).toEqual(["DELETE"]);
});

test("does not report a change if only the serialized provider differs", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  stack.outputs = { ...stack.outputs, __provider: "older text", __call: { urn: "older" } };
  expect(await stack.preview(agent())).toMatchObject({ changes: false });
});

test("hides values that the program marked as secret, regardless of their keys", async () => {
  const world = await World.start();
  const labels = { "app.example.com/token": "hidden-label" };
  const stack = await world.deployed();
  stack.call = {
    secretPaths: ["sourceConfig.resourceSpec.labels.app.example.com/token", "sourceRevisionConfig.repoRef"],
  };
  const wanted = agentAt("hidden-ref", {
    sourceConfig: { ...agent().sourceConfig, resourceSpec: { labels } },
  });
  await stack.preview(wanted);
  expect(world.log.kept).toContain("sourceRevisionConfig.repoRef");
  world.admin.fault({
    kind: "status",
    status: 400,
    method: "PATCH",
    detail: `bad label hidden-label at hidden-ref`,
  });
  expect((await stack.up(wanted)).failure!.message).toContain("bad label [secret] at [secret]");
  expect(JSON.stringify(world.log.said)).not.toContain("hidden-");
});

test("keeps the codes in a line readable even if words in the line are secrets", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  const secrets = { A: "patch", B: "revision", C: "needs a new revision", D: "confirm" };
  await stack.preview(agentAt("patch-revision", { secrets }));
  expect(world.log.kept).toBe(
    "needs a new revision: sourceRevisionConfig.repoRef v1 → [secret]-[secret] [revision]; " +
      "patched without a new revision: secrets.A, secrets.B, secrets.C, secrets.D, secrets.MODEL_KEY [patch]",
  );
  const { changes, known, unread } = readReasons(world.log.kept);
  expect([known, unread]).toEqual([2, []]);
  expect(changes[0]).toEqual({
    path: "sourceRevisionConfig.repoRef",
    effect: "revision",
    values: { from: "v1", to: "[secret]-[secret]" },
  });
});

test("does not reveal the start of a secret in a shortened value", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  const secret = `${canary}-${"x".repeat(20)}`;
  // Truncated to 77 characters, the text contains the whole canary but not the whole secret.
  await stack.preview(agentAt(`${"r".repeat(60)}${secret}`, { secrets: { KEY: secret } }));
  expect(world.log.kept).toContain(`${"r".repeat(60)}[secret]`);
});
