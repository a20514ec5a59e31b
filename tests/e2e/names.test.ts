import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Stack } from "./stack";
import { World } from "./world";

let world: World;

beforeAll(async () => {
  world = await World.start();
});

afterAll(() => world.end());

/** Declares a program with these deployments, keyed by resource name. */
function declare(stack: Stack, deployments: Record<string, { name: string; repoRef?: string }>): void {
  const lines = Object.entries(deployments).map(
    ([resource, { name, repoRef = "v1" }]) => `new Deployment(${JSON.stringify(resource)}, {
  name: ${JSON.stringify(name)},
  source: "github",
  sourceConfig: { repoUrl: "https://git.example.com/agents.git", deploymentType: "dev", buildOnPush: false },
  sourceRevisionConfig: { repoRef: ${JSON.stringify(repoRef)}, graphConfigPath: "langgraph.json" },
});`,
  );
  stack.program(lines.join("\n"));
}

const namesOf = async () => (await world.deployments()).map(({ name, id }) => `${name} ${id}`).sort();

describe("a program with two resources", () => {
  let stack: Stack;
  let before: string[];

  beforeAll(async () => {
    stack = await world.stack("names");
    declare(stack, { one: { name: "one" }, two: { name: "two" } });
    expect((await stack.up()).code).toBe(0);
    before = await namesOf();
    world.writes();
  });

  test("fails in the preview if they have the same name", async () => {
    declare(stack, { one: { name: "three" }, two: { name: "three" } });
    const preview = await stack.preview();
    expect(preview.code).not.toBe(0);
    expect(preview.output).toMatch(
      /"three" is the name of two deployments in this program \(resources "(one" and "two|two" and "one)"\)/,
    );
    expect(world.writes()).toEqual([]);
  });

  test("fails in the preview if they swap names", async () => {
    declare(stack, { one: { name: "two" }, two: { name: "one" } });
    const preview = await stack.preview();
    expect(preview.code).not.toBe(0);
    expect(preview.output).toContain("already exists");
    expect(world.writes()).toEqual([]);
  });

  test("keeps both deployments if they swap names in an update without a preview", async () => {
    await stack.config("agentserver:offline", "true");
    const up = await stack.up();
    expect(up.code).not.toBe(0);
    expect(up.output).toMatch(/already exists|would swap their names/);
    expect(await namesOf()).toEqual(before);
    expect(world.writes()).toEqual([]);
  });
});

describe("with the same organization, project, stack, and resource names in two backends", () => {
  const program = { agent: { name: "shared-agent" } };

  /** Creates the stack of another user, with a separate backend and checkout. */
  async function stackOf(person: string): Promise<Stack> {
    const backend = join(world.folder, person, "state");
    mkdirSync(backend, { recursive: true });
    return world.stack("shared", "", join(world.folder, person, "checkout"), {
      PULUMI_BACKEND_URL: `file://${backend}`,
    });
  }

  test("fails the second preview instead of adopting the deployment of the other backend", async () => {
    const [first, second] = [await stackOf("first"), await stackOf("second")];
    declare(first, program);
    expect((await first.up()).code).toBe(0);
    const [id] = (await world.deployments())
      .filter(({ name }) => name === "shared-agent")
      .map((one) => one.id);
    world.writes();

    declare(second, { agent: { name: "shared-agent", repoRef: "v2" } });
    const preview = await second.preview();
    expect(preview.code).not.toBe(0);
    expect(preview.output).toContain(
      `(${id}) already exists and is owned by resource "agent" of stack organization/`,
    );
    const up = await second.up();
    expect(up.code).not.toBe(0);
    expect((await second.destroy()).code).toBe(0);
    expect(world.writes()).toEqual([]);

    expect((await first.preview("--expect-no-changes")).code).toBe(0);
    expect((await first.destroy()).code).toBe(0);
  });

  test("finds the deployment of the right backend after a create whose state was lost", async () => {
    const stack = await stackOf("third");
    declare(stack, program);
    world.writes();
    world.admin.steer({ pace: { afterSeconds: 60 } });
    const run = stack.startUp();
    await run.reaches(() => world.admin.journal({ method: "POST" }).length > 0);
    run.kill();
    await run.ended;
    world.admin.steer({ pace: "at once" });
    await stack.run("cancel", "--yes");
    expect((await stack.up()).code).toBe(0);
    expect(world.writes().map(({ request }) => request)).toEqual(["POST /v2/deployments"]);
    expect((await stack.destroy()).code).toBe(0);
  });
});
