import { randomUUID } from "node:crypto";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { DynamicHost } from "../../../../provider/hosts/dynamic/host";
import { type KindName, kinds } from "../../../../provider/kinds";
import type { Props } from "../../../../provider/resource/inputs/values";
import { SessionPool } from "../../../../provider/session/session-pool";
import { subjectOf, type SubjectKind } from "../../../reliability/contents/subjects";
import { AgentWorld } from "../../agent-world";
import { Stack } from "../../stack";
import { agent, World } from "../../world";
import { connect, propsIn, send, struct } from "./client";

const { DIFF_SOME } = messages.DiffResponse.DiffChanges;

type Surroundings = Pick<World, "environment" | "time" | "log">;

/**
 * A resource of the dynamic provider whose program now uses the class of the plugin. The class has the dynamic type as
 * an alias.
 */
class Moved {
  private constructor(
    private readonly client: Awaited<ReturnType<typeof connect>>,
    private readonly stack: Stack,
    private readonly urn: string,
  ) {}

  static async of(world: Surroundings, stack: Stack, kind: KindName): Promise<Moved> {
    const { environment: env, time: clock, log } = world;
    const sessions = new SessionPool({ env, clock, random: () => 0.5 });
    const client = await connect({ kindOf: () => kinds[kind]({}), sessions, log, schema: () => "{}" });
    const urn = stack.urn.replace("pulumi-nodejs:dynamic/agentserver:", "agentserver:index:");
    expect(urn).not.toBe(stack.urn);
    return new Moved(client, stack, urn);
  }

  /** Runs `check` and `diff`, and keeps the checked inputs, in the same way as the engine. */
  async preview(inputs: object) {
    const { client, stack, urn } = this;
    const news = struct(JSON.parse(JSON.stringify(inputs)) as object);
    const check = new messages.CheckRequest().setUrn(urn).setOlds(struct(stack.inputs)).setNews(news);
    const checked = await send(client, "check", check);
    expect(checked.getFailuresList()).toEqual([]);
    const diff = new messages.DiffRequest().setUrn(urn).setId(stack.id!).setOlds(struct(stack.outputs));
    const response = await send(client, "diff", diff.setNews(checked.getInputs()));
    stack.inputs = propsIn(checked.getInputs());
    return { changes: response.getChanges() === DIFF_SOME, replaces: response.getReplacesList() };
  }

  /** Updates the resource to the inputs of the last preview. */
  async update(): Promise<void> {
    const { client, stack, urn } = this;
    const request = new messages.UpdateRequest().setUrn(urn).setId(stack.id!).setOlds(struct(stack.outputs));
    const response = await send(client, "update", request.setNews(struct(stack.inputs)));
    stack.outputs = propsIn(response.getProperties());
  }

  async delete(id: string, state: Props): Promise<void> {
    const request = new messages.DeleteRequest().setUrn(this.urn).setId(id).setProperties(struct(state));
    await send(this.client, "delete", request);
  }
}

/** Returns the plan of a preview with the dynamic host. */
async function planned(stack: Stack, inputs: object) {
  const { changes, replaces } = await stack.preview(inputs);
  return { changes, replaces };
}

/**
 * Checks that a move to the plugin and back changes neither the plan nor the server.
 * @returns the moved resource, and the plan
 */
async function expectMove(world: Surroundings, stack: Stack, kind: KindName, inputs: object) {
  const before = await planned(stack, inputs);
  const moved = await Moved.of(world, stack, kind);
  expect(await moved.preview(inputs)).toEqual(before);
  expect(await planned(stack, inputs)).toEqual(before);
  await moved.preview(inputs);
  return { moved, plan: before };
}

const none = { changes: false, replaces: [] };

/** Interrupts a replacement before the old object is deleted. */
async function halfReplace(stack: Stack, inputs: object): Promise<void> {
  const { host } = stack;
  stack.host = Object.assign(Object.create(host) as typeof host, {
    delete: () => Promise.reject(new Error("interrupted")),
  });
  expect((await stack.up(inputs)).failure?.message).toBe("interrupted");
  stack.host = host;
}

describe("moving a deployment", () => {
  test.each<[string, (world: World) => Promise<[Stack, object]>]>([
    ["created", async (world) => [await world.deployed(), agent()]],
    [
      "adopted",
      async (world) => {
        (await world.deployed()).lose();
        const stack = world.stack();
        const inputs = agent({ adopt: "always" });
        expect((await stack.up(inputs)).failure).toBeUndefined();
        return [stack, inputs];
      },
    ],
    [
      "half-replaced",
      async (world) => {
        const stack = await world.deployed();
        const inputs = agent({ name: "replaced" });
        await halfReplace(stack, inputs);
        return [stack, inputs];
      },
    ],
  ])("changes nothing if the deployment was %s", async (_outcome, prepare) => {
    const world = await World.start();
    const [stack, inputs] = await prepare(world);
    world.forget();
    const { moved, plan } = await expectMove(world, stack, "provider", inputs);
    expect(plan).toEqual(none);
    expect(world.writes).toEqual([]);
    for (const old of stack.pending) await moved.delete(old.id, old.outputs);
    expect(world.writes.map(({ method }) => method)).toEqual(stack.pending.map(() => "DELETE"));
  });

  test.each<[string, Parameters<World["admin"]["steer"]>[0], string[]]>([
    ["has failed", { verdict: "BUILD_FAILED", times: 1 }, ["PATCH"]],
    ["is still in progress", { pace: { afterSeconds: 90 }, times: 1 }, []],
  ])("lets the next update continue as usual after a rollout that %s", async (_outcome, steering, writes) => {
    const world = await World.start();
    world.admin.steer(steering);
    const stack = world.stack();
    const inputs = agent({ rollout: { timeout: "1m" } });
    expect((await stack.up(inputs)).failure).toBeDefined();
    world.forget();
    const { moved } = await expectMove(world, stack, "provider", inputs);
    expect(world.writes).toEqual([]);
    await moved.update();
    expect(world.writes.map(({ method }) => method)).toEqual(writes);
    world.forget();
    expect(await planned(stack, inputs)).toEqual(none);
    expect(world.writes).toEqual([]);
  });

  test("reports a deployment that another stack owns, and writes nothing", async () => {
    const world = await World.start();
    const stack = await world.deployed();
    expect((await world.stack().up(agent({ adopt: "always" }))).failure).toBeUndefined();
    await stack.refresh();
    world.forget();
    await expectMove(world, stack, "provider", agent());
    expect(world.writes).toEqual([]);
  });
});

describe.each<[SubjectKind, () => object, update: { method: string; path: string }]>([
  [
    "assistant",
    () => ({ assistantId: randomUUID() }),
    { method: "PATCH", path: "/agents/:id/assistants/:assistant" },
  ],
  ["cron", () => ({ assistant: randomUUID() }), { method: "PATCH", path: "/agents/:id/runs/crons/:cron" }],
  ["storeItem", () => ({ key: "other" }), { method: "PUT", path: "/agents/:id/store/items" }],
  [
    "storeItems",
    () => ({ namespace: ["model", randomUUID()] }),
    { method: "PUT", path: "/agents/:id/store/items" },
  ],
  ["thread", () => ({ threadId: randomUUID() }), { method: "PATCH", path: "/agents/:id/threads/:thread" }],
])("moving an object (%s)", (kind, replacement, update) => {
  let world: AgentWorld;
  beforeAll(async () => {
    world = await AgentWorld.start();
  });

  test.each<[string, (stack: Stack, inputs: object) => Promise<[Stack, object]>]>([
    ["created", (stack, inputs) => Promise.resolve([stack, inputs])],
    [
      "adopted",
      async (stack, inputs) => {
        stack.lose();
        const other = world.stack(kind);
        expect((await other.up({ ...inputs, adopt: "always" })).failure).toBeUndefined();
        return [other, { ...inputs, adopt: "always" }];
      },
    ],
    [
      "lost",
      async (stack, inputs) => {
        expect((await world.stack(kind).up({ ...inputs, adopt: "always" })).failure).toBeUndefined();
        await stack.refresh();
        return [stack, inputs];
      },
    ],
    [
      "half-replaced",
      async (stack, inputs) => {
        const replaced = { ...inputs, ...replacement() };
        const assistant = (replaced as { assistant?: string }).assistant;
        if (assistant !== undefined)
          await world.ask("POST", "/assistants", { graph_id: "agent", assistant_id: assistant });
        await halfReplace(stack, replaced);
        return [stack, replaced];
      },
    ],
  ])("keeps the plan and writes nothing if the object was %s", async (outcome, prepare) => {
    const created = world.stack(kind);
    const first = subjectOf(world, kind).inputs(0);
    expect((await created.up(first)).failure).toBeUndefined();
    const [stack, inputs] = await prepare(created, first);
    world.writes();
    const { plan } = await expectMove(world, stack, kind, inputs);
    if (outcome === "created" || outcome === "adopted") expect(plan).toEqual(none);
    expect(world.writes()).toEqual([]);
  });

  test.each<[string, (stack: Stack, inputs: object) => Promise<unknown>]>([
    [
      "failed",
      async (stack, inputs) => {
        world.admin.fault({ ...update, kind: "status", status: 400 });
        expect((await stack.up(inputs)).failure).toBeDefined();
      },
    ],
    [
      "was interrupted before its result was stored",
      async (stack, inputs) => {
        const { inputs: before, outputs } = stack;
        expect((await stack.up(inputs)).failure).toBeUndefined();
        Object.assign(stack, { inputs: before, outputs });
      },
    ],
  ])("lets the next update complete an update that %s", async (_outcome, interrupt) => {
    const subject = subjectOf(world, kind);
    const stack = world.stack(kind);
    expect((await stack.up(subject.inputs(0))).failure).toBeUndefined();
    await interrupt(stack, subject.inputs(1));
    world.writes();
    const { moved, plan } = await expectMove(world, stack, kind, subject.inputs(1));
    expect(plan).toEqual({ changes: true, replaces: [] });
    expect(world.writes()).toEqual([]);
    await moved.update();
    expect(await subject.found()).toEqual(subject.expected(1));
    await expectMove(world, stack, kind, subject.inputs(1));
    expect(await planned(stack, subject.inputs(1))).toEqual(none);
  });
});

// For all other contents, a failed create stores nothing in the state.
test.each<["storeItems" | "thread" | "run", string, object]>([
  [
    "storeItems",
    "/agents/:id/store/items",
    { namespace: ["failed"], items: { one: { a: 1 }, two: { b: 2 } } },
  ],
  ["thread", "/agents/:id/threads/:thread/state", { graph: "agent", state: { values: { messages: [] } } }],
  ["run", "/agents/:id/threads/:thread/runs", { assistant: "agent", input: { messages: [] } }],
])("completes a failed create after a move (%s)", async (kind, path, fields) => {
  const world = await AgentWorld.start();
  const stack = world.stack(kind);
  const inputs = { ...world.deployment, ...fields };
  const method = kind === "storeItems" ? "PUT" : "POST";
  // The first write of store items records their owner.
  if (kind === "storeItems") world.admin.fault({ kind: "delay", ms: 0, method, path });
  world.admin.fault({ kind: "status", status: 400, method, path });
  expect((await stack.up(inputs)).failure!.id).toBeDefined();
  world.writes();
  const { moved } = await expectMove(world, stack, kind, inputs);
  expect(world.writes()).toEqual([]);
  await moved.update();
  expect(world.writes()).not.toEqual([]);
  expect(await planned(stack, inputs)).toEqual(none);
});

describe("moving a listener", () => {
  const inputs = { computeId: "eu", namespaces: ["agents"] };

  async function start() {
    const world = await World.start({ dialect: "langsmith" });
    const { environment: env, time: clock, log } = world;
    const create = (name: string) => {
      const sessions = new SessionPool({ env, clock, random: () => 0.5 });
      const host = new DynamicHost(kinds.listener(), { argv: [], log, sessions });
      return new Stack(
        world,
        host,
        `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentserver:Listener::${name}`,
      );
    };
    const stack = create("eu");
    expect((await stack.up(inputs)).failure).toBeUndefined();
    return { world, stack, create };
  }

  test.each<[string, (at: Awaited<ReturnType<typeof start>>) => Promise<[Stack, object]>]>([
    ["created", ({ stack }) => Promise.resolve([stack, inputs])],
    [
      "adopted",
      async ({ stack, create }) => {
        stack.lose();
        const other = create("other");
        const adopting = { ...inputs, adopt: "always" };
        expect((await other.up(adopting)).failure).toBeUndefined();
        return [other, adopting];
      },
    ],
  ])("changes nothing if the listener was %s", async (_outcome, prepare) => {
    const at = await start();
    const [stack, wanted] = await prepare(at);
    at.world.forget();
    expect((await expectMove(at.world, stack, "listener", wanted)).plan).toEqual(none);
    expect(at.world.writes).toEqual([]);
  });

  test("lets the next update complete an update that failed", async () => {
    const { world, stack } = await start();
    const wanted = { ...inputs, namespaces: ["agents", "more"] };
    world.admin.fault({ kind: "status", status: 400, method: "PATCH" });
    expect((await stack.up(wanted)).failure).toBeDefined();
    world.forget();
    const { moved, plan } = await expectMove(world, stack, "listener", wanted);
    expect(plan.changes).toBe(true);
    expect(world.writes).toEqual([]);
    await moved.update();
    expect(world.writes.map(({ method }) => method)).toEqual(["PATCH"]);
    expect(await planned(stack, wanted)).toEqual(none);
  });
});

test("replaces a moved cron if only a replacement can clear its webhook", async () => {
  const world = await AgentWorld.start();
  const stack = world.stack("cron");
  const inputs = { ...world.deployment, assistant: "agent", schedule: "0 9 * * *" };
  for (const change of [{ webhook: "https://hooks.example.com/former-token" }, {}])
    expect((await stack.up({ ...inputs, ...change })).failure).toBeUndefined();
  const { moved, plan } = await expectMove(world, stack, "cron", { ...inputs, webhook: null });
  expect(plan).toEqual({ changes: true, replaces: [] });
  await moved.update();
  expect(stack.outputs).toMatchObject({ webhook: null, unclearedInputs: ["webhook"] });
  const { plan: next } = await expectMove(world, stack, "cron", { ...inputs, webhook: null });
  expect(next).toEqual({ changes: true, replaces: ["webhook"] });
  expect(JSON.stringify(stack.outputs)).not.toContain("former-token");
});

test("does not start a run when a run is moved", async () => {
  const world = await AgentWorld.start();
  const stack = world.stack("run");
  const inputs = { ...world.deployment, assistant: "agent", input: { messages: [] }, triggers: [1] };
  expect((await stack.up(inputs)).failure).toBeUndefined();
  world.writes();
  expect((await expectMove(world, stack, "run", inputs)).plan).toEqual(none);
  expect(world.writes()).toEqual([]);
});
