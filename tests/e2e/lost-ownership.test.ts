import { join } from "node:path";
import { repositoryRoot } from "../../tools/repository";
import { run } from "../../tools/process";
import { declaring } from "./programs";
import type { Stack } from "./stack";
import { World } from "./world";

const agentserver = join(repositoryRoot, "dist", "cli", "main.js");
const change = { sourceRevisionConfig: { repoRef: "v2", graphConfigPath: "langgraph.json" } };
const holder = /is (?:held|owned) by resource "agent" of stack organization\/theirs\/theirs, since 20\d\d-/;

let world: World;
let ours: Stack;

beforeAll(async () => {
  world = await World.start();
  world.admin.steer({ pace: "at once" });
  ours = await world.stack("ours", declaring());
  expect((await ours.up()).code).toBe(0);
  const theirs = await world.stack("theirs", declaring({ adopt: "always" }));
  expect((await theirs.up()).code).toBe(0);
  world.writes();
});
afterAll(() => world.end());

const command = (...words: string[]) =>
  run(process.execPath, [agentserver, ...words], { cwd: ours.folder, env: world.environment });

test("fails the preview of a change, and reports which stack owns the deployment", async () => {
  ours.program(declaring(change));
  const preview = await ours.preview();
  expect(preview.code).not.toBe(0);
  expect(preview.output).toMatch(holder);
  ours.program(declaring());
});

test("reports the deployment in a review that checks for drift, and fails the drift gate", async () => {
  const review = await command("review", "--stack", "ours", "--refresh", "--fail-on", "drift");
  expect(review.stdout).toContain("another Pulumi resource now owns it");
  expect(review.stdout).toMatch(holder);
  expect(review.code).toBe(2);
});

test("warns about lost ownership in a refresh, and in a preview with a refresh", async () => {
  expect((await ours.preview("--refresh")).output).toMatch(holder);
  const refreshed = await ours.run("refresh", "--yes");
  expect(refreshed).toMatchObject({ code: 0 });
  expect(refreshed.output).toMatch(holder);
  expect((await ours.resource("agent"))!.outputs!["heldBy"]).toMatch(/stack organization\/theirs\/theirs/);
});

test("shows in the status which stack owns the deployment", async () => {
  const { stdout } = await command("status", "--json");
  expect(JSON.parse(stdout)).toMatchObject([
    {
      name: "support-agent",
      pulumi: true,
      holder: { project: "theirs", stack: "theirs", resource: "agent" },
    },
  ]);
});

test("does not change the deployment in an update, and explains how to proceed", async () => {
  const refused = await ours.up();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toMatch(/`pulumi state delete urn:pulumi:ours::ours::\S+::agent --stack ours`/);
  expect(world.writes()).toEqual([]);
});

test("reclaims the deployment with adopt: always, and then destroys it", async () => {
  ours.program(declaring({ adopt: "always" }));
  expect((await ours.up()).code).toBe(0);
  expect((await ours.preview("--refresh", "--expect-no-changes")).code).toBe(0);
  expect((await ours.destroy()).code).toBe(0);
});

test("does not delete the deployment on destroy, because another stack owns it", async () => {
  ours.program(declaring());
  expect((await ours.up()).code).toBe(0);
  const theirs = await world.stack("theirs-again", declaring({ adopt: "always" }));
  expect((await theirs.up()).code).toBe(0);
  world.writes();
  const destroyed = await ours.destroy();
  expect(destroyed.code).toBe(0);
  expect(destroyed.output).toContain("was not deleted because it is owned by resource");
  expect(world.writes()).toEqual([]);
});
