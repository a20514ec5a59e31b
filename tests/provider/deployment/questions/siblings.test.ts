import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import { Stack } from "../../stack";
import { agent, agentAt, World } from "../../world";

const urnOf = (name: string) => `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentserver:Deployment::${name}`;

/** Returns the resources of one program, which share a provider process. */
function programOf(world: World, ...names: string[]): Stack[] {
  const host = world.host();
  return names.map((name) => new Stack(world, host, urnOf(name)));
}

/** Starts another run of the program, with a new provider process for all of its resources. */
function runAgain(world: World, stacks: Stack[]): void {
  const host = world.host();
  for (const stack of stacks) stack.host = host;
  world.forget();
}

async function reasonsOf(stack: Stack, inputs: DeploymentInputs): Promise<string[]> {
  return (await stack.check(inputs)).failures.map(({ reason }) => reason);
}

describe("a program in which two deployments have the same name", () => {
  test("fails in the preview with an error that names both", async () => {
    const world = await World.start();
    const [one, two] = programOf(world, "one", "two") as [Stack, Stack];
    expect(await reasonsOf(one, agent())).toEqual([]);
    expect(await reasonsOf(two, agentAt("v2"))).toEqual([
      'name: "support-agent" is the name of two deployments in this program (resources "two" and "one"); give each a different name',
    ]);
    expect(await reasonsOf(two, agent({ name: "another" }))).toEqual([]);
  });

  test("succeeds as soon as one of the resources no longer declares the name", async () => {
    const world = await World.start();
    const [one, two] = programOf(world, "one", "two") as [Stack, Stack];
    expect(await reasonsOf(one, agent())).toEqual([]);
    expect(await reasonsOf(one, agent({ name: "another" }))).toEqual([]);
    expect(await reasonsOf(two, agent())).toEqual([]);
    expect(await reasonsOf(one, agent())).toHaveLength(1);
  });

  test("allows several checks of each resource", async () => {
    const world = await World.start();
    const [one] = programOf(world, "one") as [Stack];
    expect(await reasonsOf(one, agent())).toEqual([]);
    expect(await reasonsOf(one, agent())).toEqual([]);
  });

  test("fails before the second deployment changes if both are renamed to the same name", async () => {
    const world = await World.start();
    const stacks = programOf(world, "one", "two") as [Stack, Stack];
    for (const stack of stacks) await stack.up(agent({ name: stack.urn.split("::").at(-1)! }));
    runAgain(world, stacks);
    const [one, two] = stacks;
    expect(await reasonsOf(one, agent({ name: "three" }))).toEqual([]);
    const { checkFailures } = await two.up(agent({ name: "three" }));
    expect(checkFailures.map(({ reason }) => reason).join()).toContain('resources "two" and "one"');
    expect(world.writes).toEqual([]);
  });
});

describe("a program in which deployments swap names", () => {
  async function pair(world: World): Promise<[Stack, Stack]> {
    const stacks = programOf(world, "one", "two") as [Stack, Stack];
    for (const stack of stacks) await stack.up(agent({ name: stack.urn.split("::").at(-1)! }));
    runAgain(world, stacks);
    return stacks;
  }

  test("fails before any change, names both deployments, and explains how to proceed", async () => {
    const world = await World.start();
    const [one, two] = await pair(world);
    expect(await reasonsOf(one, agent({ name: "two" }))).toEqual([]);
    expect(await reasonsOf(two, agent({ name: "one" }))).toEqual([
      'name: the deployments of the resources "two", "one" would swap their names, which is not possible in one update. Give one of them an unused name, run `pulumi up`, and then give it its final name',
    ]);
    expect(world.writes).toEqual([]);
  });

  test("keeps both deployments if the first one is already being changed", async () => {
    const world = await World.start();
    const [one, two] = await pair(world);
    const { failure } = await one.up(agent({ name: "two" }));
    expect(failure!.message).toContain(
      `Deployment "two" (${two.id}) already exists and is owned by resource`,
    );
    expect((await two.up(agent({ name: "one" }))).checkFailures).toHaveLength(1);
    expect(world.writes).toEqual([]);
  });

  test("fails for a cycle of three", async () => {
    const world = await World.start();
    const stacks = programOf(world, "a", "b", "c");
    for (const stack of stacks) await stack.up(agent({ name: stack.urn.split("::").at(-1)! }));
    runAgain(world, stacks);
    const [a, b, c] = stacks as [Stack, Stack, Stack];
    expect(await reasonsOf(a, agent({ name: "b" }))).toEqual([]);
    expect(await reasonsOf(b, agent({ name: "c" }))).toEqual([]);
    expect(await reasonsOf(c, agent({ name: "a" }))).toEqual([expect.stringContaining('"c", "a", "b"')]);
  });

  test("reuses a name that another deployment releases", async () => {
    const world = await World.start();
    const [one, two] = await pair(world);
    expect((await one.up(agent({ name: "three" }))).step).toBe("replace");
    expect((await two.up(agent({ name: "one" }))).step).toBe("replace");
    expect(two.state.name).toBe("one");
  });
});

test.each([
  [true, false, "was not replaced, because the new name is in use"],
  [true, true, "was not replaced, because the new name is in use"],
  [undefined, false, "already exists and is owned by resource"],
])(
  "detects a name that is in use before it deletes anything (first: %s, renamed: %s)",
  async (deletesFirst, isRenamed, said) => {
    const world = await World.start();
    await world.deployed(agent({ name: "taken" }));
    const { id, inputs, outputs, urn } = await world.deployed();
    const stack = world.stack({}, isRenamed ? urn.replace(/agent-/, "renamed-") : urn);
    Object.assign(stack, { id, inputs, outputs, deletesFirst });
    const { failure } = await stack.up(agent({ name: "taken" }));
    expect(failure!.message).toContain(said);
    expect(world.writes).toEqual([]);
    expect((await stack.up(agent())).step).toBe("same");
  },
);
