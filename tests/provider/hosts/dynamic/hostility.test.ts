import { deploymentHost, type Surroundings } from "../../deployment-host";
import type { Props } from "../../../../provider/resource/inputs/values";
import type { Provider } from "../../stack";
import { agent, World } from "../../world";
import { raise, thrown } from "./thrown";

type Break = (world: World, options: Surroundings, value: unknown) => Partial<Surroundings>;

const places: [string, Break][] = [
  ["the clock", (_world, { clock }, value) => ({ clock: { ...clock, now: () => raise(value) } })],
  ["a sleep", (_world, { clock }, value) => ({ clock: { ...clock, sleep: () => Promise.reject(value) } })],
  ["the random number generator", (_world, _options, value) => ({ random: () => raise(value) })],
  [
    "the log",
    (_world, _options, value) => ({
      log: { write: () => Promise.reject(value), status: () => raise(value) },
    }),
  ],
  [
    "the environment",
    (_world, { env }, value) => ({
      env: new Proxy(env, {
        get: (of, key) => (key === "AGENTSERVER_API_KEY" ? raise(value) : of[String(key)]),
      }),
    }),
  ],
];

/** Calls every method of a provider, and checks that the engine can handle every value that the methods throw. */
async function callAll(world: World, host: Provider, state: { id: string; inputs: Props; outputs: Props }) {
  const { id, inputs, outputs } = state;
  const calls: (() => Promise<unknown>)[] = [
    () => host.check({}, inputs),
    () => host.diff(id, outputs, { ...inputs, adopt: "always" }),
    () => host.create({ ...inputs, name: "another" }),
    () => host.update(id, outputs, { ...inputs, sourceRevisionConfig: { repoRef: "v2" } }),
    () => host.read(id, outputs),
    () => host.delete(id, outputs),
  ];
  let failed = 0;
  for (const call of calls) {
    try {
      await call();
    } catch (failure) {
      failed += 1;
      expect(failure).toBeInstanceOf(Error);
      const {
        message,
        stack,
        reasons = [],
        properties,
      } = failure as Error & { reasons?: string[]; properties?: Props };
      expect(typeof message === "string" && message.trim().length > 0).toBe(true);
      expect(typeof stack).toBe("string");
      for (const reason of reasons) expect(reason.trim()).not.toBe("");
      if ("id" in (failure as object)) expect(properties).toHaveProperty("__provider");
      world.failures.push(failure as Error);
    }
  }
  return failed;
}

describe.each(places)("a failure of %s", (place, breakIt) => {
  test.each(thrown)("causes an error with a message if %s is thrown", async (_what, value) => {
    const world = await World.start();
    const stack = await world.deployed();
    const state = { id: stack.deploymentId, inputs: stack.inputs, outputs: stack.outputs };
    const options: Surroundings = { env: world.environment, clock: world.time, log: world.log };
    const host = deploymentHost({ ...options, ...breakIt(world, options, value) });
    // All requests are retried, so that the provider sleeps and uses random numbers.
    if (place !== "the log" && place !== "the environment")
      world.admin.fault({ kind: "status", status: 503, method: "GET", times: 2 });
    const failed = await callAll(world, host, state);
    // An error in the log has no effect.
    expect(failed > 0).toBe(place !== "the log");
  });
});

test("reports an exception from the configuration as a check failure or an error", async () => {
  for (const [, value] of thrown) {
    const world = await World.start();
    const host = world.host();
    await host.configure({ config: { get: () => raise(value), require: () => raise(value) } });
    const failure: unknown = await host.check({}, { ...agent() }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect((failure as Error).message.trim()).not.toBe("");
    world.failures.push(failure as Error);
  }
});

test("keeps an existing deployment when the wait fails", async () => {
  for (const [, value] of thrown) {
    const world = await World.start();
    const stack = world.stack();
    stack.host = deploymentHost({
      env: world.environment,
      clock: { ...world.time, sleep: () => Promise.reject(value) },
      log: world.log,
    });
    const { failure } = await stack.up(agent());
    expect(failure!.id).toBeTruthy();
    expect(failure!.reasons!.join()).toContain("could not be monitored");
  }
});

test.each<[string, Props]>([
  ["no values", {}],
  [
    "values of the wrong types",
    {
      name: 1,
      sourceConfig: "x",
      secrets: [1],
      rollout: null,
      __call: { secretPaths: 7, timeouts: "x" },
      controlPlane: 3,
    },
  ],
])("settles all calls with properties that contain %s", async (_what, props) => {
  const world = await World.start();
  const host = world.host();
  const calls = [
    () => host.check(props, props),
    () => host.diff("id", props, props),
    () => host.create(props),
    () => host.update("id", props, props),
    () => host.delete("id", props),
  ];
  for (const call of calls) {
    const result: unknown = await call().catch((error: unknown) => error);
    if (result instanceof Error) expect(result.message.trim()).not.toBe("");
  }
});
