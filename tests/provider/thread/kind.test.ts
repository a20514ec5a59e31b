import { randomUUID } from "node:crypto";
import { AgentWorld } from "../agent-world";

let world: AgentWorld;
beforeAll(async () => {
  world = await AgentWorld.start();
});
beforeEach(() => world.forget());

const inbox = (change: object = {}) => ({ ...world.deployment, metadata: { purpose: "inbox" }, ...change });

const thread = (id: string) =>
  world.ask<{ metadata: Record<string, unknown>; values: Record<string, unknown> }>("GET", `/threads/${id}`);

test("creates a thread with one request, changes it in place, and deletes it if it has no runs", async () => {
  const stack = world.stack("thread");
  expect(await stack.up(inbox())).toEqual({ step: "create", checkFailures: [] });
  await stack.up(inbox({ metadata: { owner: "sales" }, ttl: { minutes: 60 } }));
  expect(world.writes()).toEqual(["POST /threads", "PATCH /threads/ID"]);
  const { metadata } = await thread(stack.id!);
  expect(metadata).toMatchObject({ owner: "sales" });
  expect(metadata["purpose"] ?? null).toBeNull();
  await stack.refresh();
  expect(await stack.up(inbox({ metadata: { owner: "sales" }, ttl: { minutes: 60 } }))).toMatchObject({
    step: "same",
  });
  const { id } = stack;
  await stack.destroy();
  await expect(thread(id!)).rejects.toThrow("404");
});

test("creates a thread with a state that later changes do not modify", async () => {
  const messages = [{ type: "human", content: "hello" }];
  const wanted = inbox({ graph: "agent", state: { values: { messages }, asNode: "answer" } });
  const stack = world.stack("thread");
  expect(await stack.up(wanted)).toMatchObject({ step: "create" });
  expect(await world.ask("GET", `/threads/${stack.id}/state`)).toMatchObject({
    values: { messages: [{ content: "hello" }] },
  });
  world.forget();
  await stack.up(inbox({ graph: "agent", state: { values: { messages: [] } } }));
  expect(world.writes()).toEqual([]);
});

test("keeps a thread if its initial state is rejected, and writes the state in the next update", async () => {
  const wanted = inbox({
    graph: "agent",
    state: { values: { messages: [{ type: "human", content: "hello" }] } },
  });
  for (const refreshes of [false, true]) {
    const stack = world.stack("thread");
    world.admin.fault({
      kind: "status",
      status: 400,
      method: "POST",
      path: "/agents/:id/threads/:thread/state",
    });
    const { failure } = await stack.up(wanted);
    expect(failure!.id).toBe(stack.id);
    if (refreshes) await stack.refresh();
    expect(await stack.up(wanted)).toMatchObject({ step: "update" });
    expect(JSON.stringify(await thread(stack.id!))).toContain("hello");
    expect(await stack.up(wanted)).toMatchObject({ step: "same" });
    await stack.destroy();
  }
});

test("finishes the creation of its thread even if others write to it while a request is retried", async () => {
  const stack = world.stack("thread");
  const threadId = randomUUID();
  const path = "/agents/:id/threads/:thread/state";
  world.admin.fault({ kind: "status", status: 429, retryAfter: 40, method: "POST", path });
  world.duringPause = () => startRun(threadId);
  const state = { values: { messages: [{ type: "human", content: "initial" }] } };
  expect(await stack.up(inbox({ threadId, graph: "agent", state, adopt: "never" }))).toMatchObject({
    step: "create",
  });
});

test("creates a thread with the steps that produce its state", async () => {
  const step = (type: string, content: string, asNode: string) => ({
    updates: [{ values: { messages: [{ type, content }] }, asNode }],
  });
  const supersteps = [step("human", "first", "hear"), step("ai", "second", "answer")];
  const stack = world.stack("thread");
  expect(await stack.up(inbox({ graph: "agent", supersteps }))).toMatchObject({ step: "create" });
  expect(JSON.stringify(await world.ask("GET", `/threads/${stack.id}/state`))).toMatch(/first.*second/);
});

test("keeps a thread with conversations, unless the program allows the deletion", async () => {
  const stack = world.stack("thread");
  await stack.up(inbox());
  const { id } = stack;
  await world.ask("POST", `/threads/${id}/runs/wait`, {
    assistant_id: "agent",
    input: { messages: [{ role: "user", content: "hi" }] },
  });
  await expect(stack.destroy()).rejects.toThrow(/was not deleted: it has runs/);
  await stack.up(inbox({ forceDelete: true }));
  await stack.destroy();
  await expect(thread(id!)).rejects.toThrow("404");
});

test.each(["gets runs", "is deleted"])(
  "re-evaluates a delete if a thread %s during a pause",
  async (what) => {
    const stack = world.stack("thread");
    await stack.up(inbox());
    const id = stack.id!;
    const paused = { method: "DELETE", path: "/agents/:id/threads/:thread" };
    world.admin.fault({ ...paused, kind: "status", status: 429, retryAfter: 40 });
    world.duringPause = () => (what === "gets runs" ? startRun(id) : world.ask("DELETE", `/threads/${id}`));
    if (what === "gets runs") {
      await expect(stack.destroy()).rejects.toThrow(/was not deleted: it has runs/);
      await expect(thread(id)).resolves.toBeDefined();
    } else await stack.destroy();
  },
);

test("does not overwrite a state that a thread received during a pause", async () => {
  const stack = world.stack("thread");
  const messages = [{ type: "human", content: "initial" }];
  const written = { method: "POST", path: "/agents/:id/threads/:thread/state" };
  world.admin.fault({ ...written, kind: "status", status: 429, retryAfter: 40 });
  const threadId = randomUUID();
  world.duringPause = () => startRun(threadId);
  expect(await stack.up(inbox({ threadId, graph: "agent", state: { values: { messages } } }))).toMatchObject({
    step: "create",
  });
  expect(JSON.stringify(await thread(threadId))).not.toContain("initial");
});

test("creates only one thread after a lost response, and reports a conflict with another owner", async () => {
  world.admin.fault({ kind: "reset", when: "after", method: "POST", path: "/agents/:id/threads" });
  const stack = world.stack("thread");
  expect(await stack.up(inbox())).toMatchObject({ step: "create" });
  const { thread_id } = await world.ask<{ thread_id: string }>("POST", "/threads", {});
  const { failure } = await world.stack("thread").up(inbox({ threadId: thread_id }));
  expect(failure!.message).toBe(
    `Thread ${thread_id} already exists and has no ownership tag. Adopt it (\`adopt: "always"\`), use another \`threadId\`, or delete it.`,
  );
});

const startRun = (id: string) =>
  world.ask("POST", `/threads/${id}/runs/wait`, {
    assistant_id: "agent",
    input: { messages: [{ role: "user", content: "hi" }] },
  });

test("rejects the replacement of a thread that has runs in the preview, unless it is allowed", async () => {
  const stack = world.stack("thread");
  const [one, two] = [randomUUID(), randomUUID()];
  await stack.up(inbox({ threadId: one }));
  await startRun(one);
  const { checkFailures } = await stack.up(inbox({ threadId: two }));
  expect(checkFailures.map(({ reason }) => reason)).toEqual([
    `threadId: replaces thread ${one}, which has runs, so deleting it would delete conversations. Set \`forceDelete: true\` to allow it`,
  ]);
  expect(await stack.up(inbox({ threadId: two, forceDelete: true }))).toMatchObject({ step: "replace" });
  await expect(thread(one)).rejects.toThrow("404");
});

test("keeps a replaced thread that received runs after the preview, and later updates succeed", async () => {
  const stack = world.stack("thread");
  const [one, two] = [randomUUID(), randomUUID()];
  await stack.up(inbox({ threadId: one }));
  const checked = await stack.check(inbox({ threadId: two }));
  await startRun(one);
  const { host, id, outputs } = stack;
  await host.diff(id!, outputs, checked.inputs);
  await host.create(checked.inputs);
  world.forget();
  await host.delete(id!, outputs);
  expect(world.log.lines("warning")).toEqual([
    `Thread ${one} was replaced but not deleted: it has runs, so deleting it would delete conversations. This program no longer manages it.`,
  ]);
  await expect(thread(one)).resolves.toBeDefined();
});

test("does not change or delete another stack's thread", async () => {
  const name = randomUUID();
  const [mine, theirs] = [world.stack("thread", name, "dev"), world.stack("thread", name, "prod")];
  await mine.up(inbox());
  await world.ask("DELETE", `/threads/${mine.id}`);
  await theirs.up(inbox({ metadata: { of: "theirs" } }));
  expect(theirs.id).toBe(mine.id);
  const { failure } = await mine.up(inbox({ metadata: { of: "mine" } }));
  expect(failure!.message).toBe(
    `Thread ${mine.id} was not changed because it is owned by the resource shop/prod:${name}. Reclaim it (\`adopt: "always"\`), or remove it from one of the two programs.`,
  );
  await mine.destroy();
  expect((await thread(theirs.id!)).metadata).toMatchObject({ of: "theirs" });
  expect(world.log.lines("warning").at(-1)).toMatch(
    /was not deleted because it is owned by the resource shop/,
  );
});

test("sends the time to live again when it reclaims a thread", async () => {
  const id = { threadId: randomUUID(), adopt: "always" };
  const [mine, theirs] = [world.stack("thread", "inbox", "dev"), world.stack("thread", "inbox", "prod")];
  await mine.up(inbox({ ...id, ttl: { minutes: 5 } }));
  await theirs.up(inbox({ ...id, ttl: { minutes: 9 } }));
  world.forget();
  expect(await mine.up(inbox({ ...id, ttl: { minutes: 5 }, metadata: {} }))).toMatchObject({
    step: "update",
  });
  expect(world.log.lines("info")).toContain(
    `Thread ${mine.id} was changed outside this program: the update also changes \`ttl\`.`,
  );
});

test("removes metadata from the server even if others changed it in the meantime", async () => {
  const stack = world.stack("thread");
  await stack.up(inbox({ metadata: { a: 1, b: 1 } }));
  await world.ask("PATCH", `/threads/${stack.id}`, { metadata: { b: 2, theirs: 3 } });
  await stack.up(inbox({ metadata: { a: 1 } }));
  const { metadata } = await thread(stack.id!);
  expect(metadata).toMatchObject({ a: 1, theirs: 3 });
  expect(metadata["b"] ?? null).toBeNull();
});

test("clears the graph with null, and explains why a time to live cannot be cleared", async () => {
  const stack = world.stack("thread");
  await stack.up(inbox({ graph: "agent" }));
  await stack.up(inbox({ graph: null }));
  expect((await thread(stack.id!)).metadata["graph_id"] ?? null).toBeNull();
  const { checkFailures } = await stack.up(inbox({ ttl: null }));
  expect(checkFailures.map(({ reason }) => reason)).toEqual([
    "ttl: cannot be cleared: the agent server API does not support clearing it; set a long TTL instead",
  ]);
});

test("reports a thread that was deleted before an update", async () => {
  const stack = world.stack("thread");
  await stack.up(inbox());
  await world.ask("DELETE", `/threads/${stack.id}`);
  const { failure } = await stack.up(inbox({ metadata: { a: 1 } }));
  expect(failure!.message).toContain(`Thread ${stack.id} no longer exists.`);
});
