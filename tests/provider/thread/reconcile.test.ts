import { AgentWorld } from "../agent-world";

let world: AgentWorld;
beforeAll(async () => {
  world = await AgentWorld.start();
});
beforeEach(() => world.forget());

const inbox = (change: object = {}) => ({ ...world.deployment, metadata: { purpose: "inbox" }, ...change });

const thread = (id: string) =>
  world.ask<{ metadata: Record<string, unknown>; values: Record<string, unknown> }>("GET", `/threads/${id}`);

test("is made by one request, changed in place, and deleted while nobody has used it", async () => {
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

test("begins with a state, which a later change does not touch", async () => {
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

test("begins with the steps that lead to a state", async () => {
  const step = (type: string, content: string, asNode: string) => ({
    updates: [{ values: { messages: [{ type, content }] }, asNode }],
  });
  const supersteps = [step("human", "first", "hear"), step("ai", "second", "answer")];
  const stack = world.stack("thread");
  expect(await stack.up(inbox({ graph: "agent", supersteps }))).toMatchObject({ step: "create" });
  expect(JSON.stringify(await world.ask("GET", `/threads/${stack.id}/state`))).toMatch(/first.*second/);
});

test("is not deleted with what people have said in it, unless the program says so", async () => {
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

test("a lost reply makes one thread, and one that is somebody else's is a conflict", async () => {
  world.admin.fault({ kind: "reset", when: "after", method: "POST", path: "/agents/:id/threads" });
  const stack = world.stack("thread");
  expect(await stack.up(inbox())).toMatchObject({ step: "create" });
  const { thread_id } = await world.ask<{ thread_id: string }>("POST", "/threads", {});
  const { failure } = await world.stack("thread").up(inbox({ threadId: thread_id }));
  expect(failure!.message).toBe(
    `Thread ${thread_id} exists already. Give another threadId, or leave it out.`,
  );
});
