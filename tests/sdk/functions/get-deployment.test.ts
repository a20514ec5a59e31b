import * as pulumi from "@pulumi/pulumi";
import { getDeployment, getDeploymentOutput } from "../../../sdk";
import { agent, canary, World } from "../../provider/world";
import { valueOf, withoutEngine } from "../program";

async function configured() {
  await withoutEngine();
  const world = await World.start();
  pulumi.runtime.setAllConfig({
    "agentserver:baseUrl": world.plane.baseUrl,
    "agentserver:apiKey": world.plane.apiKey,
    "agentserver:tenantId": world.plane.tenantId,
  });
  return world;
}

test.each(["id", "name"] as const)("finds a deployment by its %s", async (by) => {
  const world = await configured();
  const stack = await world.deployed();
  const found = await getDeployment(by === "id" ? { id: stack.deploymentId } : { name: "support-agent" });
  expect(found).toEqual({
    id: stack.deploymentId,
    name: "support-agent",
    displayName: undefined,
    source: "github",
    status: "READY",
    url: stack.state.url,
    latestRevisionId: stack.state.latestRevisionId,
    activeRevisionId: stack.state.latestRevisionId,
    repoUrl: "https://git.example.com/agents.git",
    repoRef: "v1",
    graphConfigPath: "langgraph.json",
    imageUri: undefined,
    secretNames: ["MODEL_KEY"],
  });
  expect(JSON.stringify(found)).not.toContain(canary);
});

test("does not match a name by its prefix", async () => {
  const world = await configured();
  await world.deployed(agent({ name: "support-agent-2" }));
  await expect(getDeployment({ name: "support-agent" })).rejects.toThrow(
    'The control plane has no deployment named "support-agent" in this workspace.',
  );
});

test("does not find a deployment by name while it is being deleted", async () => {
  const world = await configured();
  world.admin.lingerDeleted(3_600);
  await (await world.deployed()).destroy();
  await expect(getDeployment({ name: "support-agent" })).rejects.toThrow("no deployment named");
});

test("reports an unknown ID", async () => {
  await configured();
  const id = "00000000-0000-4000-8000-000000000000";
  await expect(getDeployment({ id })).rejects.toThrow(`no deployment with the ID ${id}`);
});

test("reports an empty ID", async () => {
  await configured();
  await expect(getDeployment({ id: "" })).rejects.toThrow('The deployment ID "" cannot be part of a URL');
});

test.each([
  {},
  { id: "a", name: "b" },
  { name: "a", agent: { agentId: "b", environment: "staging" as const } },
])("rejects %j without a request", async (args) => {
  const world = await configured();
  await expect(getDeployment(args)).rejects.toThrow(
    "getDeployment requires exactly one of the following: an ID, a name, or an agent.",
  );
  expect(world.admin.journal()).toEqual([]);
});

test("accepts outputs as arguments", async () => {
  const world = await configured();
  const { deploymentId } = await world.deployed();
  const found = await valueOf(getDeploymentOutput({ name: pulumi.output("support-agent") }));
  expect(found.id).toBe(deploymentId);
});
