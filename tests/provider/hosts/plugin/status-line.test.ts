import { agent, World } from "../../world";
import { usePlugin } from "./plugin-provider";

usePlugin();

test("explains that one Ctrl-C ends the plugin's wait", async () => {
  const world = await World.start();
  world.admin.steer({ pace: { afterSeconds: 100 } });
  await world.stack().up(agent());
  const lines = world.log.lines("status");
  expect(lines.at(-1)).toMatch(/; press Ctrl-C to stop waiting, and run `pulumi up` to resume$/);
});
