import { randomUUID } from "node:crypto";
import { AgentWorld } from "../agent-world";

let world: AgentWorld;
beforeAll(async () => {
  world = await AgentWorld.start();
});
beforeEach(() => world.forget());

const brief = (change: object = {}) => ({
  ...world.deployment,
  graph: "agent",
  name: "Brief",
  context: { style: "brief" },
  ...change,
});

const assistantPath = (id: string) => `/assistants/${id}`;

interface Assistant {
  name: string;
  version: number;
  context: Record<string, unknown>;
  metadata: Record<string, unknown>;
  description?: string | null;
}

const assistant = (id: string) => world.ask<Assistant>("GET", assistantPath(id));

test("has the same id in every stack of the project, and another one in another project", async () => {
  const ids = ["dev", "prod"].map(async (name) => {
    const { inputs } = await world.stack("assistant", "brief", name).check(brief());
    return inputs["assistantId"];
  });
  const [dev, prod] = await Promise.all(ids);
  expect(dev).toBe(prod);
  expect(dev).toMatch(/^[0-9a-f-]{36}$/);
  const { inputs } = await world.stack("assistant", "other").check(brief());
  expect(inputs["assistantId"]).not.toBe(dev);
});

test("is made by one request, and each update is one more version", async () => {
  const stack = world.stack("assistant");
  expect(await stack.up(brief())).toEqual({ step: "create", checkFailures: [] });
  expect(world.writes()).toEqual(["POST /assistants"]);
  expect(stack.outputs["version"]).toBe(1);
  expect(await stack.up(brief({ context: { style: "long" } }))).toMatchObject({ step: "update" });
  expect(world.writes()).toEqual(["PATCH /assistants/ID"]);
  expect(stack.outputs["version"]).toBe(2);
  expect(await stack.up(brief({ context: { style: "long" } }))).toMatchObject({ step: "same" });
  expect(await assistant(stack.id!)).toMatchObject({ name: "Brief", context: { style: "long" } });
});

test("what a program leaves out stays as it is, and null clears", async () => {
  const stack = world.stack("assistant");
  await stack.up(brief({ description: "For the impatient.", metadata: { team: "sales", tier: "gold" } }));
  await stack.up(brief({ name: undefined, metadata: { team: "support" } }));
  const { name, metadata, description } = await assistant(stack.id!);
  expect([name, description]).toEqual(["Brief", "For the impatient."]);
  expect(metadata).toMatchObject({ team: "support" });
  expect(metadata["tier"] ?? null).toBeNull();
  await stack.up(brief({ description: null }));
  expect((await assistant(stack.id!)).description || null).toBeNull();
  await stack.refresh();
  expect(await stack.up(brief({ description: null }))).toMatchObject({ step: "same" });
});

test("a version is pinned, everything else waits meanwhile, and is sent when it is released", async () => {
  const stack = world.stack("assistant");
  await stack.up(brief());
  await stack.up(brief({ context: { style: "long" } }));
  world.forget();
  expect(await stack.up(brief({ context: { style: "new" }, pinVersion: 1 }))).toMatchObject({
    step: "update",
  });
  expect(world.writes()).toEqual(["POST /assistants/ID/latest"]);
  expect(await assistant(stack.id!)).toMatchObject({ version: 1, context: { style: "brief" } });
  await stack.refresh();
  expect(await stack.up(brief({ context: { style: "new" }, pinVersion: 1 }))).toMatchObject({ step: "same" });
  expect(await stack.up(brief({ context: { style: "new" } }))).toMatchObject({ step: "update" });
  expect(await assistant(stack.id!)).toMatchObject({ version: 3, context: { style: "new" } });
});

test("a version that there is none of is an error that says which there are", async () => {
  const stack = world.stack("assistant");
  await stack.up(brief());
  const { failure } = await stack.up(brief({ pinVersion: 7 }));
  expect(failure!.message).toMatch(/has no version 7; its newest one is 1\. Correct pinVersion\./);
});

test("one that is pinned to another version by somebody else is pinned again", async () => {
  const stack = world.stack("assistant");
  await stack.up(brief());
  await stack.up(brief({ context: { style: "long" } }));
  await stack.up(brief({ context: { style: "long" }, pinVersion: 1 }));
  await world.ask("POST", `${assistantPath(stack.id!)}/latest`, { version: 2 });
  await stack.refresh();
  expect(await stack.up(brief({ context: { style: "long" }, pinVersion: 1 }))).toMatchObject({
    step: "update",
  });
  expect(await assistant(stack.id!)).toMatchObject({ version: 1 });
});

describe("one that exists", () => {
  test("and is somebody else's is a conflict, which names the ways out, and is taken over where the program says so", async () => {
    const id = randomUUID();
    await world.ask("POST", "/assistants", { assistant_id: id, graph_id: "agent", name: "Theirs" });
    const stack = world.stack("assistant");
    const { failure } = await stack.up(brief({ assistantId: id }));
    expect(failure!.message).toMatch(
      new RegExp(
        `^Assistant ${id} \\("Theirs"\\) exists already\\. Ways out: take it over with \`adopt: "always"\``,
      ),
    );
    expect(await stack.up(brief({ assistantId: id, adopt: "always" }))).toMatchObject({ step: "create" });
    expect(await assistant(id)).toMatchObject({ name: "Brief", version: 2 });
    expect(world.log.kept).toContain(`Assistant ${id} is adopted.`);
  });

  test("from a create that was cut off is gone on with", async () => {
    const stack = world.stack("assistant");
    await stack.up(brief());
    const { id } = stack;
    stack.lose();
    world.forget();
    expect(await stack.up(brief())).toMatchObject({ step: "create" });
    expect([stack.id, world.writes()]).toEqual([id, ["POST /assistants"]]);
    expect(stack.outputs["version"]).toBe(1);
  });

  test("of another stack says whose it is", async () => {
    await world.stack("assistant", "shared", "prod").up(brief());
    const { failure } = await world.stack("assistant", "shared", "dev").up(brief());
    expect(failure!.message).toContain("belongs to the resource shop/prod:shared");
  });

  test("as the graph's own is configured, and released instead of deleted", async () => {
    const [own] = await world.ask<{ assistant_id: string }[]>("POST", "/assistants/search", {
      metadata: { created_by: "system" },
    });
    const stack = world.stack("assistant");
    expect(await stack.up(brief({ assistantId: own!.assistant_id }))).toMatchObject({ step: "create" });
    await stack.destroy();
    const left = await assistant(own!.assistant_id);
    expect(left.metadata["agentserver_owner"] ?? null).toBeNull();
  });
});

test("a lost reply makes one assistant", async () => {
  world.admin.fault({ kind: "reset", when: "after", method: "POST", path: "/agents/:id/assistants" });
  const stack = world.stack("assistant");
  expect(await stack.up(brief())).toMatchObject({ step: "create" });
  expect(stack.outputs["version"]).toBe(1);
  world.admin.fault({
    kind: "reset",
    when: "after",
    method: "PATCH",
    path: "/agents/:id/assistants/:assistant",
  });
  expect(await stack.up(brief({ name: "Briefer" }))).toMatchObject({ step: "update" });
  expect(await assistant(stack.id!)).toMatchObject({ name: "Briefer", version: 2 });
});

test("one that has another's tag by now is neither changed nor deleted", async () => {
  const stack = world.stack("assistant");
  await stack.up(brief());
  await world.ask("PATCH", assistantPath(stack.id!), { metadata: { agentserver_owner: "somebody" } });
  const { failure } = await stack.up(brief({ name: "Mine" }));
  expect(failure!.message).toContain("was not changed: it belongs to");
  await stack.destroy();
  expect(world.log.lines("warning").at(-1)).toMatch(/^Assistant .* is kept: it belongs to /);
});

test("one that is gone is found by a refresh and made again, and its deletion is no error", async () => {
  const stack = world.stack("assistant");
  await stack.up(brief());
  await world.ask("DELETE", assistantPath(stack.id!));
  await stack.destroy();
  await stack.up(brief());
  await world.ask("DELETE", assistantPath(stack.id!));
  expect(await stack.refresh()).toBe(false);
  expect(await stack.up(brief())).toMatchObject({ step: "create" });
});

test("what is wrong is said before anything is asked", async () => {
  const wrong = { ...brief(), assistantId: "x", pinVersion: 0, deployment: undefined, contxt: {} };
  const { checkFailures } = await world.stack("assistant").up(wrong);
  expect(checkFailures.map(({ reason }) => reason).sort()).toEqual([
    "assistantId: must be a UUID",
    "contxt: is not a field; did you mean context?",
    "deployment: is required: a deployment, or in its place a connection to another agent server",
    "pinVersion: too small: expected number to be >=1",
  ]);
  expect(world.writes()).toEqual([]);
});

test("a graph that the server does not have is worth a warning", async () => {
  await world.stack("assistant").check(brief({ graph: "missing" }));
  expect(world.log.lines("warning").join()).toContain(
    "graph: is missing, which the agent server does not have",
  );
});
