import { agent, agentAt, World } from "../world";

test.each([
  [
    "from a newer release",
    {},
    { schemaVersion: 99 },
    /written by a newer release of pulumi-agentserver \(state version 99; .*Update the package/,
  ],
  [
    "in an unknown dialect",
    { dialect: "next" },
    {},
    /contains the "next" dialect, which this release does not support; update pulumi-agentserver/,
  ],
  [
    "that is damaged",
    {},
    { settledRevision: { id: 7 } },
    /cannot be read: settledRevision\.id: .*pulumi stack export --version/,
  ],
])("rejects a state %s before it sends a request", async (_which, address, wrong, message) => {
  const world = await World.start();
  const stack = await world.deployed(agent());
  stack.outputs = { ...stack.outputs, controlPlane: { ...stack.state.controlPlane, ...address }, ...wrong };

  expect((await stack.up(agentAt("v2"))).failure?.message).toMatch(message);
  await expect(stack.refresh()).rejects.toThrow(message);
  await expect(stack.destroy()).rejects.toThrow(message);
  expect(world.admin.journal()).toEqual([]);
});
