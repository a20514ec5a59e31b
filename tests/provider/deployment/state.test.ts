import { agent, agentAt, World } from "../world";

test.each([
  [
    "of a newer release",
    { schemaVersion: 99 },
    /written by a newer release of pulumi-agentserver \(state version 99; .*Update the package/,
  ],
  [
    "that was damaged",
    { settledRevision: { id: 7 } },
    /cannot be read: settledRevision\.id: .*pulumi stack export --version/,
  ],
])("a state %s is refused before anything is asked or sent", async (_which, wrong, message) => {
  const world = await World.start();
  const stack = await world.deployed(agent());
  stack.outputs = { ...stack.outputs, ...wrong };

  expect((await stack.up(agentAt("v2"))).failure?.message).toMatch(message);
  await expect(stack.refresh()).rejects.toThrow(message);
  expect(world.admin.journal()).toEqual([]);
});
