import { Stack } from "../../provider/stack";
import { agent, agentAt, World } from "../../provider/world";
import { HostileResource } from "./resource";
import { HostileServer, json, raw } from "./server";

test("shows retries, and the pause that the server requested, in the status line", async () => {
  const world = await World.start();
  world.admin.fault({ kind: "status", status: 429, method: "POST", times: 1, retryAfter: 300 });
  expect((await world.stack().up(agent())).step).toBe("create");
  expect(world.log.lines("status")[0]).toMatch(/^retrying in 60s \(the server requested 5m\), POST/);
});

test("reports the pauses of a shared request to each resource", async () => {
  const server = await HostileServer.start();
  let answers = 0;
  server.odd.list = (...exchange) => {
    answers += 1;
    const answer = answers === 1 ? raw(429, "", { "retry-after": "7" }) : json(200, { resources: [] });
    answer(...exchange);
  };
  const resource = new HostileResource(server);
  expect(await resource.create()).toEqual({ id: "d1" });
  expect(resource.log.lines("status")[0]).toMatch(/^retrying in 7s, GET \/v2\/deployments returned 429/);
});

test("does not let a shared request delay a resource beyond its timeout", async () => {
  const world = await World.start();
  world.admin.fault({
    kind: "status",
    status: 503,
    retryAfter: 60,
    method: "GET",
    path: "/v2/deployments",
    times: 3,
  });
  const host = world.host();
  const startedAt = world.clock.now();
  const [short, long] = await Promise.all(
    ["90s", "10m"].map(async (timeout) => {
      const { failure } = await new Stack(world, host).up(
        agent({ name: `a-${timeout}`, rollout: { timeout } }),
      );
      return { failure, afterMs: world.clock.now() - startedAt };
    }),
  );
  expect(short!.failure!.message).toContain("returned 503");
  expect(short!.afterMs).toBe(60_000);
  expect(long!.failure).toBeUndefined();
});

test("does not end a wait before its deadline even if polls fail for minutes", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  world.admin.steer({ pace: { afterReads: 3 } });
  world.admin.fault({
    kind: "status",
    status: 500,
    method: "GET",
    path: "/v2/deployments/:id/revisions/:revision",
    times: 40,
  });
  expect((await stack.up(agentAt("v2"))).failure).toBeUndefined();
  expect(world.admin.journal().filter(({ status }) => status === 500)).toHaveLength(40);
  expect(stack.state.settledRevision).toMatchObject({ status: "DEPLOYED" });
});

test("continues to wait for a delete when reads fail", async () => {
  const server = await HostileServer.start();
  server.exists = true;
  let failed = 0;
  server.odd.read = (...exchange) => {
    const isSent = server.requests.some((request) => request.startsWith("DELETE"));
    if (isSent) failed += 1;
    const answer = !isSent
      ? json(200, { id: "d1" })
      : failed < 9
        ? raw(502, "")
        : json(404, { detail: "no such deployment" });
    answer(...exchange);
  };
  expect((await new HostileResource(server).delete()).failure).toBeUndefined();
  expect(server.requests.filter((request) => request.startsWith("DELETE"))).toHaveLength(1);
});
