import { bestEffort } from "../../../provider/engine/log";
import { agent, World } from "../world";

test("delays a response until all messages have been delivered", async () => {
  const world = await World.start();
  const arrived: string[] = [];
  const log = {
    write: async (_urn: string, _severity: string, message: string) => {
      for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      arrived.push(message);
    },
    status: async () => undefined,
  };
  const stack = world.stack();
  stack.host = world.host({}, log);
  await stack.up(agent());
  Object.assign(stack, { id: undefined, inputs: {}, outputs: {} });
  stack.host = world.host({}, log);
  await stack.up(agent());
  expect(arrived.join()).toContain("has the ownership tag of this resource");
});

test("ignores messages that cannot be delivered", async () => {
  const log = bestEffort({
    write: () => Promise.reject(new Error("no engine")),
    status: () => {
      throw new Error("no engine");
    },
  });
  await log.write("urn", "info", "hello");
  await log.status("urn", "hello");
  await log.flush();
});
