import { deploymentKind } from "../../../../provider/deployment/kind";
import { encodeInputs, encodeState } from "../../../../provider/hosts/dynamic/encode";
import type { ControlPlaneState } from "../../../../provider/resource/managed";
import { agent, agentAt, canary, World } from "../../world";
import { inClear, isSecret } from "../../wire";

const deployment = deploymentKind();

const state: ControlPlaneState = {
  controlPlane: { baseUrl: "https://plane", tenantId: "", dialect: "interface" },
  ownerId: "owner",
  schemaVersion: 1,
};

test("marks each secret value as secret, and keeps the names visible", () => {
  const { secrets } = encodeInputs(deployment, {}, { secrets: { A: canary, B: "" } }) as {
    secrets: Record<string, unknown>;
  };
  expect(Object.keys(secrets)).toEqual(["A", "B"]);
  expect(Object.values(secrets).every(isSecret)).toBe(true);
  expect(inClear(secrets)).toEqual({ A: canary, B: "" });
});

test("returns outputs without secrets unchanged", () => {
  expect(encodeInputs(deployment, {}, { name: "a" })).toEqual({ name: "a" });
  expect(encodeState(deployment, { __call: { secretPaths: ["sourceConfig"] } }, state)).toMatchObject(state);
});

test("marks copies of a secret input under other names as secret in every result", async () => {
  const world = await World.start();
  const stack = world.stack();
  stack.call = { secretPaths: ["sourceRevisionConfig.repoRef"] };
  await stack.up(agentAt("hidden-ref"));
  const { serving } = stack.outputs as { serving: { sourceRevisionConfig: Record<string, unknown> } };
  expect(isSecret(serving.sourceRevisionConfig["repoRef"])).toBe(true);
  expect(serving.sourceRevisionConfig["graphConfigPath"]).toBe("langgraph.json");
  const { props } = await stack.host.read(stack.deploymentId, inClear(stack.outputs));
  const { sourceRevisionConfig } = props!["serving"] as typeof serving;
  expect(isSecret(sourceRevisionConfig["repoRef"])).toBe(true);
});

test("keeps an output secret if it repeats an old value whose input is no longer secret", async () => {
  const world = await World.start();
  const image = (name: string, digit: string) => `registry.example.com/${name}@sha256:${digit.repeat(64)}`;
  const of = (imageUri: string) =>
    agent({
      source: "external_docker",
      sourceConfig: {},
      sourceRevisionConfig: { imageUri },
      rollout: { verify: { ok: false } },
    });
  const stack = world.stack();
  stack.call = { secretPaths: ["sourceRevisionConfig.imageUri"] };
  await stack.up(of(image("private", "1")));
  stack.call = {};
  world.admin.steer({ verdict: "DEPLOY_FAILED", times: 2 });
  const sourceOf = () =>
    (stack.outputs["serving"] as { sourceRevisionConfig: Record<string, unknown> }).sourceRevisionConfig;
  for (const digit of ["2", "3"]) {
    await stack.up(of(image("public", digit)));
    expect([stack.outputs["verified"], sourceOf()["imageUri"]].map(isSecret)).toEqual([true, true]);
  }
  await stack.refresh();
  await stack.up(of(image("public", "4")));
  expect([stack.outputs["verified"], sourceOf()["imageUri"]].map(isSecret)).toEqual([true, false]);
});

test("marks an address as secret if it is a secret input", () => {
  const located = { ...state, url: "https://x" };
  const hidden = { __call: { secretPaths: ["sourceConfig.customUrl"] } };
  expect(isSecret(encodeState(deployment, hidden, located)["url"])).toBe(true);
  expect(encodeState(deployment, {}, located)["url"]).toBe("https://x");
});

test("does not report a change to marked outputs in the next update", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  await stack.refresh();
  expect((await stack.up(agent())).step).toBe("same");
});
