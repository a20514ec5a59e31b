import { join } from "node:path";
import { VirtualClock } from "../../../../emulator/index";
import type { Agent } from "../../../../emulator/gateway/timers/agent";
import { DeploymentTimers } from "../../../../emulator/gateway/timers/deployment-timers";
import type { AgentClient } from "../../../../emulator/gateway/request/agent-client";
import { temporaryFolder } from "../../rollout/repository";

/** Agent that responds to a request only when the test allows it. */
class SlowAgent {
  readonly asked: string[] = [];
  readonly #held: (() => void)[] = [];
  readonly client: AgentClient;

  constructor() {
    const ask = async (method: string, path: string, body?: { key: string }): Promise<unknown> => {
      this.asked.push(`${method} ${body?.key ?? path}`);
      await new Promise<void>((resolve) => this.#held.push(resolve));
      return { statusCode: 200, resume: () => ({ statusCode: 200 }) };
    };
    this.client = { send: ask, raw: ask } as unknown as AgentClient;
  }

  /** Waits until all pending work has started, and returns the requests so far. */
  async settled(): Promise<string[]> {
    await new Promise(setImmediate);
    return this.asked;
  }

  async answerNext(): Promise<string[]> {
    this.#held.shift()?.();
    return this.settled();
  }
}

const clock = new VirtualClock();
let agent: SlowAgent;
let current: SlowAgent | undefined;
let timers: DeploymentTimers;
beforeEach(() => {
  agent = new SlowAgent();
  current = undefined;
  timers = new DeploymentTimers(join(temporaryFolder("timers"), "timers.db"), {
    clock,
    agent: () => current as unknown as Agent,
    reportError: (error) => {
      throw error;
    },
  });
});
afterEach(() => timers.close());

const minutes = (count: number) => clock.advance(count * 60_000);
const namespace = ["a"];
const sweep = () => timers.itemTtls.sweep(agent.client);
const put = (key: string, ttl?: number) =>
  timers.itemTtls.writing(namespace, key, async () => {
    await agent.client.send("PUT", "/store/items", { key });
    timers.itemTtls.set(namespace, key, ttl);
  });

test("does not delete an item that is stored again during a sweep", async () => {
  for (const key of ["one", "two"]) timers.itemTtls.set(namespace, key, 10);
  await minutes(10);
  const swept = sweep();
  await agent.settled();
  const renewed = put("two", 10);
  expect(await agent.settled()).toEqual(["DELETE one", "PUT two"]);
  await agent.answerNext();
  await agent.answerNext();
  await Promise.all([swept, renewed]);
  expect(agent.asked).toEqual(["DELETE one", "PUT two"]);
});

test("waits for a delete in progress before it stores the same item again", async () => {
  timers.itemTtls.set(namespace, "one", 10);
  await minutes(10);
  const swept = sweep();
  await agent.settled();
  const renewed = put("one");
  expect(await agent.settled()).toEqual(["DELETE one"]);
  expect(await agent.answerNext()).toEqual(["DELETE one", "PUT one"]);
  await agent.answerNext();
  await Promise.all([swept, renewed]);
});

test("runs only one sweep for concurrent reads, and makes them all wait for it", async () => {
  for (const key of ["one", "two"]) timers.itemTtls.set(namespace, key, 10);
  await minutes(10);
  let ended = 0;
  const sweeps = [1, 2, 3].map(() => sweep().then(() => ended++));
  expect(await agent.settled()).toEqual(["DELETE one"]);
  expect(await agent.answerNext()).toEqual(["DELETE one", "DELETE two"]);
  expect(ended).toBe(0);
  await agent.answerNext();
  await Promise.all(sweeps);
  expect(agent.asked).toEqual(["DELETE one", "DELETE two"]);
});

test("does not renew the time to live of an item that has expired", async () => {
  timers.itemTtls.set(namespace, "one", 10);
  await minutes(10);
  timers.itemTtls.refresh(namespace, "one");
  const swept = sweep();
  expect(await agent.settled()).toEqual(["DELETE one"]);
  await agent.answerNext();
  await swept;
});

test("does not delete a thread whose time to live was renewed, and runs only one sweep", async () => {
  timers.threadTtls.set("one", "delete", 10);
  timers.threadTtls.set("two", "delete", 10);
  current = agent;
  await minutes(10);
  expect(await agent.settled()).toEqual(["GET /threads/one"]);
  timers.threadTtls.set("two", "delete", 10);
  await minutes(1);
  expect(agent.asked).toEqual(["GET /threads/one"]);
  await agent.answerNext();
  expect(await agent.answerNext()).toEqual(["GET /threads/one", "DELETE /threads/one"]);
  expect(timers.threadTtls.of("one")).toBeUndefined();
  expect(timers.threadTtls.of("two")).toBeDefined();
});
