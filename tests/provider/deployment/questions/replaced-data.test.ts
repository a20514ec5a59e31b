import { scriptedAgents } from "../../scripted-agent";
import { agent, World } from "../../world";
import { hostOf, previewed } from "./previews";

const moved = agent({ sourceConfig: { ...agent().sourceConfig, repoUrl: "https://git.example.com/b.git" } });

async function replacing(held: Record<string, number>, wanted = moved) {
  const world = await World.start({ runner: scriptedAgents({ held }) });
  const stack = await world.deployed();
  stack.host = hostOf(world);
  return { asked: await previewed(world, stack, wanted), id: stack.deploymentId };
}

test("counts the objects that a replacement deletes", async () => {
  const held = { "/threads/count": 12, "/runs/crons/count": 1, "/store/items/search": 3 };
  const { asked, id } = await replacing(held);
  expect(asked.failures).toEqual([]);
  expect(asked.warnings).toEqual([
    `replacing deployment ${id} deletes it with 12 threads, 1 cron, 0 assistants, 3 store items. To keep them, undo the change that requires the replacement.`,
  ]);
});

test("reports nothing about the replacement of an empty deployment", async () => {
  expect((await replacing({})).asked.warnings).toEqual([]);
});

test("does not count objects for a change without a replacement", async () => {
  const flagged = agent({ sourceConfig: { ...agent().sourceConfig, buildOnPush: true } });
  const { asked } = await replacing({ "/threads/count": 12 }, flagged);
  expect(asked.warnings).toEqual([]);
});
