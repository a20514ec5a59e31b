import { randomUUID } from "node:crypto";
import { AgentWorld } from "../agent-world";
import { everyKill, killedAt } from "../killed";

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

test("runs once, and again after each change to its triggers", async () => {
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

test("stays unchanged in a refresh", async () => {
  const stack = world.stack("run");
  await stack.up(saying("hi"));
  const { outputs } = stack;
  await stack.refresh();
  expect(stack.outputs).toEqual(outputs);
  await stack.destroy();
});

test("runs again if the engine replaces it even though no input has changed", async () => {
  const stack = world.stack("run");
  await stack.up(saying("hi"));
  const [id, outputs] = [stack.id!, stack.outputs];
  await stack.preview(saying("hi"));
  stack.lose();
  world.forget();
  expect(await stack.up(saying("hi"))).toEqual({ step: "create", checkFailures: [] });
  expect(stack.id).not.toBe(id);
  expect(world.writes()).toEqual([...started, "DELETE /threads/ID"]);
  await stack.host.delete(id, outputs);
  await stack.destroy();
});

test("deletes more threads than fit on one page", async () => {
  const stack = world.stack("run");
  await stack.up(saying("hi"));
  const { metadata } = await world.ask<{ metadata: object }>(
    "GET",
    `/threads/${stack.outputs["ranOn"] as string}`,
  );
  for (let n = 0; n < 101; n += 1) await world.ask("POST", "/threads", { metadata });
  await stack.destroy();
  expect(await world.ask("POST", "/threads/count", {})).toBe(0);
});

test("runs again if it moves to another address of the same agent server", async () => {
  const stack = world.stack("run");
  await stack.up(saying("hi"));
  const { id } = stack;
  const env = {
    AGENTSERVER_BASE_URL: world.plane.baseUrl,
    AGENTSERVER_API_KEY: world.plane.apiKey,
    AGENTSERVER_TENANT_ID: world.plane.tenantId,
    AGENT_KEY: world.plane.apiKey,
  };
  stack.host = world.host("run", env);
  const connection = { url: world.url, apiKeyFrom: "AGENT_KEY" };
  const moved = saying("hi", { deployment: undefined, connection });
  expect(await stack.up(moved)).toMatchObject({ step: "replace" });
  expect(stack.id).not.toBe(id);
  expect(await world.ask("POST", "/threads/count", {})).toBe(1);
  await stack.destroy();
});

test("keeps its thread after a rename; a new run with the old name gets a new thread", async () => {
  const name = randomUUID();
  const first = world.stack("run", name);
  await first.up(saying("hi"));
  const { id, inputs, outputs } = first;
  const renamed = Object.assign(world.stack("run", `renamed-${name}`), { id, inputs, outputs });
  world.forget();
  expect(await renamed.up(saying("hi"))).toMatchObject({ step: "update" });
  expect(world.writes()).toEqual(["PATCH /threads/ID"]);
  expect(await renamed.up(saying("hi"))).toMatchObject({ step: "same" });
  const newcomer = world.stack("run", name);
  expect(await newcomer.up(saying("hi"))).toMatchObject({ step: "create" });
  expect(world.writes()).toEqual(started);
  expect(newcomer.id).not.toBe(renamed.id);
  await newcomer.destroy();
  expect(await world.ask("POST", "/threads/count", {})).toBe(1);
  await renamed.destroy();
  expect(await world.ask("POST", "/threads/count", {})).toBe(0);
});

test("fails with the error of the run, and starts another run next time", async () => {
  const stack = world.stack("run");
  const { failure } = await stack.up(saying("fail"));
  expect(failure!.message).toMatch(/^Run .* ended with error: .*asked to fail.*starts another one\.$/);
  expect(failure!.id).toBe(stack.id);
  expect(await stack.up(saying("succeed"))).toMatchObject({ step: "update" });
  expect(JSON.stringify(stack.outputs["output"])).toContain("heard succeed");
  expect(await stack.up(saying("succeed"))).toMatchObject({ step: "same" });
  await stack.destroy();
  expect(await world.ask("POST", "/threads/count", {})).toBe(0);
});

test.each(["up", "refresh and up", "destroy"])(
  "recovers from a rejected run with the next command: %s",
  async (next) => {
    const stack = world.stack("run");
    const path = "/agents/:id/threads/:thread/runs";
    world.admin.fault({ kind: "status", status: 400, method: "POST", path });
    expect((await stack.up(saying("hi"))).failure!.id).toBe(stack.id);
    if (next === "refresh and up") await stack.refresh();
    if (next !== "destroy") {
      world.forget();
      expect(await stack.up(saying("hi"))).toMatchObject({ step: "update" });
      expect(world.writes()).toEqual(["POST /threads/ID/runs"]);
      expect(await stack.up(saying("hi"))).toMatchObject({ step: "same" });
    }
    await stack.destroy();
    expect(await world.ask("POST", "/threads/count", {})).toBe(0);
  },
);

test("does not start a second run after an interruption", async () => {
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
  // Killed before the engine stored any result.
  const { id } = stack;
  stack.lose();
  stack.host = world.host("run");
  world.forget();
  expect(await stack.up(saying("once"))).toMatchObject({ step: "create" });
  expect(stack.id).toBe(id);
  expect(await world.ask("GET", `/threads/${ranOn}/runs`)).toHaveLength(1);
  await stack.destroy();
});

const newThread = async () => (await world.ask<{ thread_id: string }>("POST", "/threads", {})).thread_id;
const runsOn = (thread: string) => world.ask<object[]>("GET", `/threads/${thread}/runs`);

test("destroys a run without deleting a thread that the program specified", async () => {
  const threadId = await newThread();
  const stack = world.stack("run");
  await stack.up(saying("hi", { threadId }));
  expect(stack.outputs["ranOn"]).toBe(threadId);
  await stack.destroy();
  expect(await runsOn(threadId)).toHaveLength(1);
  expect(await world.ask("POST", "/threads/count", {})).toBe(1);
  await world.ask("DELETE", `/threads/${threadId}`);
});

test("starts a run for each change to the triggers, even back to an old value or after a destroy", async () => {
  const threadId = await newThread();
  const stack = world.stack("run");
  const wanted = (trigger: number) => saying("hi", { threadId, triggers: [trigger] });
  let expected = 0;
  for (const trigger of [1, 2, 1, 2, 1]) {
    await stack.up(wanted(trigger));
    expected += 1;
    expect(await runsOn(threadId)).toHaveLength(expected);
    stack.host = world.host("run");
    expect(await stack.up(wanted(trigger))).toMatchObject({ step: "same" });
  }
  await stack.destroy();
  await stack.up(wanted(1));
  expect(await runsOn(threadId)).toHaveLength(expected + 1);
  await stack.destroy();
  await world.ask("DELETE", `/threads/${threadId}`);
});

test.each(everyKill(7))("starts one run per change to the triggers after a kill at %j", async (kill) => {
  const threadId = await newThread();
  for (const change of [{}, { threadId }]) {
    const stack = world.stack("run");
    const wanted = (trigger: number) => saying("hi", { ...change, triggers: [trigger] });
    for (const trigger of [1, 2, 1]) {
      const isKilled = await killedAt(kill, () => stack.up(wanted(trigger)));
      stack.host = world.host("run");
      if (isKilled) await stack.up(wanted(trigger));
      stack.host = world.host("run");
    }
    const ranOn = stack.outputs["ranOn"] as string;
    expect(await runsOn(ranOn)).toHaveLength("threadId" in change ? 3 : 1);
    await stack.destroy();
  }
  expect(await world.ask("POST", "/threads/count", {})).toBe(1);
  await world.ask("DELETE", `/threads/${threadId}`);
});

test("does not keep inputs that are no longer in the program", async () => {
  const stack = world.stack("run");
  await stack.up(saying("hi", { metadata: { a: 1 } }));
  await stack.up(saying("hi"));
  expect(await stack.up(saying("hi"))).toMatchObject({ step: "same" });
  await stack.destroy();
});

test.each([
  ["input", { input: { messages: [{ role: "user", content: "canary-4711" }] } }],
  ["command.update", { command: { update: { messages: [{ role: "user", content: "canary-4711" }] } } }],
  ["context.style", { context: { style: "canary-4711" } }],
])("keeps the output secret if %s is secret", async (path, change) => {
  const stack = world.stack("run");
  const call = { urn: stack.urn, secretPaths: [path] };
  const created = await stack.host.create({ __provider: "", __call: call, ...saying("hi"), ...change });
  const { output } = created.outs as { output: Record<string, unknown> };
  expect(Object.keys(output)).toContain("4dabf18193072939515e22adb298388d");
});

test("rejects a graph that does not exist, even in the preview", async () => {
  const { checkFailures } = await world.stack("run").up(saying("hi", { assistant: "breif" }));
  expect(checkFailures.map(({ reason }) => reason).join()).toContain("no such assistant or graph");
});
