import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import { deploymentHost } from "../../deployment-host";
import type { Stack } from "../../stack";
import { temporaryFolder, writeFile } from "../../../tools/temporary-folder";
import { agent, agentAt, World } from "../../world";

const overMs = 30 * 60_000 + 1_000;

/**
 * Gives the stack a provider whose timeout expires as soon as the control plane has received a request that matches the
 * method and path.
 */
function delayedBy(
  world: World,
  stack: Stack,
  method: string,
  path: string,
  variables: NodeJS.ProcessEnv = {},
): void {
  const isOver = () => world.admin.journal({ method, path }).length > 0;
  const clock = { ...world.time, now: () => world.clock.now() + (isOver() ? overMs : 0) };
  stack.host = deploymentHost({ env: { ...world.environment, ...variables }, clock, log: world.log });
}

function sent(world: World): string[] {
  return world.writes.map(
    ({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/g, "ID").replace(/^.*\/v2/, "/v2")}`,
  );
}

test("does not create a deployment if the timeout expires during the name lookup", async () => {
  const world = await World.start();
  const stack = world.stack();
  delayedBy(world, stack, "GET", "/v2/deployments", { AGENTSERVER_DIALECT: "interface" });

  const { failure } = await stack.up(agent());

  expect(failure!.message).toContain(
    'The timeout of 30m expired, so deployment "support-agent" was not created. Run the command again, or increase `rollout.timeout`.',
  );
  expect(sent(world)).toEqual([]);
});

test("does not change a deployment if the timeout expires while it is read", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  delayedBy(world, stack, "GET", "/v2/deployments/:id");

  const { failure } = await stack.up(agentAt("v2"));

  expect(failure!.message).toContain(
    `The timeout of 30m expired, so deployment ${stack.id} was not changed.`,
  );
  expect(sent(world)).toEqual([]);
});

test("does not delete a deployment if the timeout expires while it is read", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  delayedBy(world, stack, "GET", "/v2/deployments/:id");

  await expect(stack.destroy()).rejects.toThrow(
    `The timeout of 30m expired, so deployment ${stack.id} was not deleted.`,
  );
  expect(sent(world)).toEqual([]);
});

function local(folder: string, more: Partial<DeploymentInputs> = {}): DeploymentInputs {
  return agent({
    source: "internal_source",
    sourceConfig: { deploymentType: "dev" },
    sourceRevisionConfig: { folder },
    ...more,
  });
}

function sourceFolder(): { folder: string; write: (text: string) => void } {
  const folder = temporaryFolder();
  writeFile(`${folder}/langgraph.json`, '{"graphs": {"agent": "./graph.mjs:graph"}}');
  const write = (text: string) => writeFile(`${folder}/graph.mjs`, text);
  write("1");
  return { folder, write };
}

test.each([
  [
    "the upload address is requested",
    "POST",
    "/v2/deployments/:id/upload-url",
    ["POST /v2/deployments/ID/upload-url"],
  ],
  ["the source is uploaded", "PUT", "/**", ["POST /v2/deployments/ID/upload-url"]],
] as const)(
  "does not change a deployment if the timeout expires while %s",
  async (_, method, path, expected) => {
    const world = await World.start({ dialect: "langsmith", state: temporaryFolder() });
    const { folder, write } = sourceFolder();
    const stack = await world.deployed(local(folder));
    write("2");
    delayedBy(world, stack, method, path);

    const { failure } = await stack.up(local(folder));

    expect(failure!.message).toContain(
      `The timeout of 30m expired, so deployment ${stack.id} was not changed.`,
    );
    expect(sent(world).filter((request) => !request.startsWith("PUT"))).toEqual(expected);
  },
);

test("keeps a created deployment whose remaining settings were not sent in time", async () => {
  const world = await World.start({ dialect: "langsmith" });
  const stack = world.stack();
  delayedBy(world, stack, "POST", "/v2/deployments");
  const inputs = agent({ displayName: "Support" });

  const { failure } = await stack.up(inputs);

  expect(failure!.message).toContain(
    `The timeout of 30m expired, so deployment ${stack.id} was not changed.`,
  );
  expect(sent(world)).toEqual(["POST /v2/deployments"]);
  stack.host = world.host();
  expect(await stack.up(inputs)).toMatchObject({ step: "update" });
  expect(stack.state.displayName).toBe("Support");
});

test("does not change the resource tiers if the timeout expires after the first of two changes", async () => {
  const world = await World.start({ dialect: "langsmith" });
  const tiers = { computeTier: "DEDICATED_S", databaseTier: "DEDICATED_M" } as const;
  const stack = await world.deployed(agent(tiers));
  delayedBy(world, stack, "PATCH", "/v2/deployments/:id");

  const { failure } = await stack.up(agentAt("v2", { ...tiers, computeTier: "DEDICATED_M" }));

  expect(failure!.message).toContain(`the resource tiers of deployment ${stack.id} were not changed`);
  expect(sent(world)).toEqual(["PATCH /v2/deployments/ID"]);
});
