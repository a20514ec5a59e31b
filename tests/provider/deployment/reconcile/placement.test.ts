import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import { World } from "../../world";

const image: DeploymentInputs = {
  name: "support-agent",
  source: "external_docker",
  sourceConfig: { resourceSpec: {} },
  sourceRevisionConfig: { imageUri: "registry.test/agent:1" },
};

async function worldWith(...namespaces: string[][]): Promise<{ world: World; ids: string[] }> {
  const world = await World.start({ dialect: "langsmith" });
  world.admin.setSelfHostedEnterprise(true);
  const ids: string[] = [];
  for (const [place, k8s_namespaces] of namespaces.entries()) {
    const body = { compute_type: "k8s", compute_id: `c-${place}`, compute_config: { k8s_namespaces } };
    ids.push(((await world.request("POST", "/v2/listeners", body)) as { id: string }).id);
  }
  world.forget();
  return { world, ids };
}

test("uses the only listener and namespace by default, and omits them from state", async () => {
  const { world, ids } = await worldWith(["agents"]);
  const stack = world.stack();
  expect(await stack.up(image)).toEqual({ step: "create", checkFailures: [] });
  expect(world.writes).toMatchObject([
    { body: { source_config: { listener_id: ids[0], listener_config: { k8s_namespace: "agents" } } } },
  ]);
  expect(world.log.lines("info")).toContain(
    `Uses listener ${ids[0]} and its namespace agents, because there is no other choice.`,
  );
  expect(stack.inputs).not.toHaveProperty("sourceConfig.listenerId");
  expect(await stack.refresh()).toBe(true);
  expect(await stack.up(image)).toMatchObject({ step: "same" });
});

test("requires a listenerId if the workspace has several listeners", async () => {
  const { world, ids } = await worldWith(["blue"], ["green", "red"]);
  const { failure } = await world.stack().up(image);
  expect(failure?.message).toBe(
    `sourceConfig.listenerId is required, because this workspace has several listeners: ${ids[0]} (blue); ${ids[1]} (green, red). Nothing was created.`,
  );
  expect(world.writes).toEqual([]);
  const named = { ...image, sourceConfig: { resourceSpec: {}, listenerId: ids[0]! } };
  expect(await world.stack().up(named)).toMatchObject({ step: "create" });
  expect(world.writes).toMatchObject([
    { body: { source_config: { listener_id: ids[0], listener_config: { k8s_namespace: "blue" } } } },
  ]);
});
