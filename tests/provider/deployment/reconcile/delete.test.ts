import { agent, World } from "../../world";

test("deletes the deployment once, and finishes when the deployment no longer exists", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  await stack.destroy();
  expect(world.writes.map(({ method, status }) => [method, status])).toEqual([["DELETE", 204]]);
});

test("reads the deployment once before it sends the request", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  await stack.destroy();
  const methods = world.admin.journal().map(({ method }) => method);
  expect(methods.slice(0, 2)).toEqual(["GET", "DELETE"]);
});

test("treats a deployment that is being deleted as deleted", async () => {
  const world = await World.start({ lingerSeconds: 3_600 });
  const stack = await world.deployed();
  const startedAt = world.clock.now();
  await stack.destroy();
  expect(world.clock.now() - startedAt).toBeLessThan(60_000);
});

test("writes nothing if the deployment has already been deleted externally", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  const { id, inputs, outputs } = stack;
  await stack.destroy();
  world.forget();
  Object.assign(stack, { id, inputs, outputs });
  await stack.destroy();
  expect(world.writes).toEqual([]);
});

test("accepts that the deployment is deleted between the read and the delete request", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  world.admin.fault({ kind: "status", status: 404, when: "after", method: "DELETE" });
  await stack.destroy();
  expect(world.writes).toHaveLength(1);
});

test("repeats a delete request whose response was lost, and accepts a 404", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  world.admin.fault({ kind: "reset", when: "after", method: "DELETE" });
  await stack.destroy();
  expect(world.writes.map(({ status }) => status)).toEqual([0, 404]);
});

test("does not treat an address without a control plane as a deleted deployment", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  world.admin.fault({ kind: "status", status: 404, path: "/v2/**", detail: "Not Found", times: 99 });
  await expect(stack.destroy()).rejects.toThrow(/returned 404/);
  expect(stack.deploymentId).toBeTruthy();
});

test.each([401, 403])("does not treat a %i as a deleted deployment", async (status) => {
  const world = await World.start();
  const stack = await world.deployed();
  world.admin.fault({ kind: "status", status, method: "GET", path: "/v2/deployments/:id", times: 9 });
  await expect(stack.destroy()).rejects.toThrow(String(status));
});

test("fails at the deadline and explains how to proceed if the deployment still exists", async () => {
  const world = await World.start();
  const stack = await world.deployed(agent({ rollout: { timeout: "4m" } }));
  world.admin.fault({ kind: "status", status: 204, method: "DELETE", times: 9 });
  const startedAt = world.clock.now();
  await expect(stack.destroy()).rejects.toThrow(
    /was deleted 4m ago, but still exists \(READY\)\. Run the command again/,
  );
  expect(world.clock.now() - startedAt).toBe(4 * 60_000);
  expect(world.log.lines("status").join("\n")).toContain("still READY, 3m of 4m");
});

test("does not wait for a rollout in progress", async () => {
  const world = await World.start();
  world.admin.steer({ verdict: "never" });
  const stack = world.stack();
  await stack.up(agent({ rollout: { timeout: "1m" } }));
  await stack.destroy();
  expect(stack.id).toBeUndefined();
});
