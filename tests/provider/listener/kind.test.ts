import { randomUUID } from "node:crypto";
import { listenerKind } from "../../../provider/listener/kind";
import { SessionPool } from "../../../provider/session/session-pool";
import { Stack } from "../stack";
import { providerOf } from "../test-host";
import { World } from "../world";

async function start() {
  const world = await World.start({ dialect: "langsmith" });
  const stack = () => {
    const sessions = new SessionPool({ env: world.environment, clock: world.time, random: () => 0.5 });
    const host = providerOf(listenerKind(), { log: world.log, sessions });
    return new Stack(
      world,
      host,
      `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentserver:Listener::${randomUUID()}`,
    );
  };
  const listed = async () =>
    (
      (await world.request("GET", "/v2/listeners")) as {
        resources: { id: string; compute_id: string; compute_config: object }[];
      }
    ).resources;
  return { world, stack, listed };
}

const cluster = (change: object = {}) => ({ computeId: "agents-eu", namespaces: ["agents"], ...change });

test("creates, changes, and deletes a listener, and replaces it for a different cluster", async () => {
  const { world, stack, listed } = await start();
  const own = stack();
  expect(await own.up(cluster())).toEqual({ step: "create", checkFailures: [] });
  expect(await own.up(cluster({ namespaces: ["agents", "more"] }))).toMatchObject({ step: "update" });
  expect(await own.up(cluster({ namespaces: ["agents", "more"] }))).toMatchObject({ step: "same" });
  expect(world.writes.map(({ method }) => method)).toEqual(["POST", "PATCH"]);
  expect(await listed()).toMatchObject([{ compute_config: { k8s_namespaces: ["agents", "more"] } }]);
  expect(await own.up(cluster({ computeId: "agents-us" }))).toMatchObject({ step: "replace" });
  expect(await listed()).toMatchObject([{ compute_id: "agents-us" }]);
  await own.destroy();
  expect(await listed()).toEqual([]);
});

test("detects and corrects drift, and recreates a deleted listener", async () => {
  const { world, stack, listed } = await start();
  const own = stack();
  await own.up(cluster());
  await world.request("PATCH", `/v2/listeners/${own.id}`, { compute_config: { k8s_namespaces: ["other"] } });
  await own.refresh();
  expect(await own.up(cluster())).toMatchObject({ step: "update" });
  await world.request("DELETE", `/v2/listeners/${own.id}`);
  expect(await own.refresh()).toBe(false);
  expect(await own.up(cluster())).toMatchObject({ step: "create" });
  expect(await listed()).toHaveLength(1);
});

test("keeps the old listener if a replacement is reverted before the old one was deleted", async () => {
  const { stack, listed } = await start();
  const own = stack();
  await own.up(cluster());
  const { id } = own;
  own.host.delete = () => Promise.reject(new Error("interrupted"));
  expect((await own.up(cluster({ computeId: "agents-us" }))).failure).toBeDefined();
  expect(await listed()).toHaveLength(2);
  // A later run.
  own.host = stack().host;
  expect(await own.up(cluster())).toMatchObject({ step: "replace" });
  expect(own.id).toBe(id);
  expect(await listed()).toMatchObject([{ id, compute_id: "agents-eu" }]);
});

test("creates one listener if the response was lost", async () => {
  const { world, stack, listed } = await start();
  world.admin.fault({ kind: "reset", when: "after", method: "POST", path: "/v2/listeners" });
  expect(await stack().up(cluster({ adopt: "never" }))).toMatchObject({ step: "create" });
  expect(await listed()).toHaveLength(1);
});

test.each([
  ["as declared", "agents"],
  ["differently", "x"],
])(
  "adopts an existing listener that is configured %s only if the program requests it",
  async (_how, namespace) => {
    const { world, stack, listed } = await start();
    const theirs = {
      compute_type: "k8s",
      compute_id: "agents-eu",
      compute_config: { k8s_namespaces: [namespace] },
    };
    await world.request("POST", "/v2/listeners", theirs);
    const { id } = (await listed())[0]!;
    const { failure } = await stack().up(cluster());
    expect(failure!.message).toBe(
      `Listener ${id} ("agents-eu") already exists and has no reported owner. Adopt it (\`adopt: "always"\`), use another \`computeId\`, or delete it.`,
    );
    expect(await stack().up(cluster({ adopt: "always" }))).toMatchObject({ step: "create" });
    expect(await listed()).toMatchObject([{ id, compute_config: { k8s_namespaces: ["agents"] } }]);
  },
);

test("ignores the order of namespaces that the control plane reports", async () => {
  const { world, stack } = await start();
  const own = stack();
  await own.up(cluster({ namespaces: ["a", "b"] }));
  await world.request("PATCH", `/v2/listeners/${own.id}`, { compute_config: { k8s_namespaces: ["b", "a"] } });
  await own.refresh();
  expect(await own.up(cluster({ namespaces: ["a", "b"] }))).toMatchObject({ step: "same" });
});

test("explains why a version cannot be cleared", async () => {
  const { stack } = await start();
  const { checkFailures } = await stack().up(cluster({ version: null }));
  expect(checkFailures.map(({ reason }) => reason)).toEqual([
    "version: cannot be cleared: the control plane API does not support clearing it",
  ]);
});
