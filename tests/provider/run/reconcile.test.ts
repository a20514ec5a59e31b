import { AgentWorld } from "../agent-world";

let world: AgentWorld;
beforeAll(async () => {
  world = await AgentWorld.start();
});
beforeEach(() => world.forget());

const saying = (content: string, change: object = {}) => ({
  ...world.deployment,
  assistant: "agent",
  input: { messages: [{ role: "user", content }] },
  ...change,
});

const started = ["POST /threads", "POST /threads/ID/runs"];

test("runs once, its output is the final state, and it runs again for each change of its triggers", async () => {
  const stack = world.stack("run");
  expect(await stack.up(saying("hi", { triggers: [1] }))).toEqual({ step: "create", checkFailures: [] });
  expect(world.writes()).toEqual(started);
  expect(JSON.stringify(stack.outputs["output"])).toContain("heard hi");
  expect(await stack.up(saying("hi", { triggers: [1] }))).toMatchObject({ step: "same" });
  expect(await stack.up(saying("ho", { triggers: [1] }))).toMatchObject({ step: "update" });
  expect(world.writes()).toEqual([]);
  expect(await stack.up(saying("ho", { triggers: [2] }))).toMatchObject({ step: "update" });
  expect(world.writes()).toEqual([...started, "DELETE /threads/ID"]);
  expect(JSON.stringify(stack.outputs["output"])).toContain("heard ho");
  await stack.destroy();
  expect(world.writes()).toEqual(["DELETE /threads/ID"]);
});

test("a run that fails fails the create with its error, and the next one starts another", async () => {
  const stack = world.stack("run");
  const { failure } = await stack.up(saying("fail"));
  expect(failure!.message).toMatch(/^Run .* ended with error: .*asked to fail.*starts another one\.$/);
  expect(await stack.up(saying("succeed"))).toMatchObject({ step: "create" });
  await stack.destroy();
  expect(await world.ask("POST", "/threads/count", {})).toBe(0);
});

test("what interrupts it makes no second run", async () => {
  world.admin.fault({
    kind: "reset",
    when: "after",
    method: "POST",
    path: "/agents/:id/threads/:thread/runs",
  });
  const stack = world.stack("run");
  expect(await stack.up(saying("once"))).toMatchObject({ step: "create" });
  const ranOn = stack.outputs["ranOn"] as string;
  expect(await world.ask("GET", `/threads/${ranOn}/runs`)).toHaveLength(1);
  // Killed before the engine could keep anything.
  const { id } = stack;
  stack.lose();
  world.forget();
  expect(await stack.up(saying("once"))).toMatchObject({ step: "create" });
  expect(stack.id).toBe(id);
  expect(await world.ask("GET", `/threads/${ranOn}/runs`)).toHaveLength(1);
});

test("on a thread of somebody else it leaves that as it is", async () => {
  const { thread_id } = await world.ask<{ thread_id: string }>("POST", "/threads", {});
  const stack = world.stack("run");
  await stack.up(saying("hi", { threadId: thread_id }));
  expect(stack.outputs["ranOn"]).toBe(thread_id);
  await stack.destroy();
  expect(await world.ask("GET", `/threads/${thread_id}/runs`)).toHaveLength(1);
});
