import { unknownValue } from "@pulumi/pulumi/runtime";
import { agent, World } from "../world";

test.each([
  ["long", ['customTimeouts.create: must be a duration such as "30m" or "1h30m"']],
  [600, ['customTimeouts.create: must be a duration such as "30m" or "1h30m"']],
  ["45m", []],
  [unknownValue, []],
])("checks a custom timeout of %s", async (create, wanted) => {
  const world = await World.start();
  const stack = world.stack();
  stack.call = { timeouts: { create } };
  const { failures } = await stack.check(agent());
  expect(failures.map(({ reason }) => reason)).toEqual(wanted);
});
