import { AsyncLocalStorage } from "node:async_hooks";
import { Core } from "../../provider/core/core";
import { Transport } from "../../provider/http/transport";

/** Point in time when a provider process is killed. */
export interface Kill {
  /** Number of the request, starting at 1. */
  request: number;
  /** True if the server still processes the request. */
  isCarriedOut: boolean;
}

/** A provider process. Requests are never sent after it has exited. */
interface Process {
  isDead: boolean;
  handle: (send: () => Promise<unknown>) => Promise<unknown>;
}

const processes = new AsyncLocalStorage<Process>();

type Exchange = (this: Transport, ...args: unknown[]) => Promise<unknown>;
type RunGuarded = (this: Core, ...args: unknown[]) => Promise<unknown>;

const never = new Promise<never>(() => undefined);

/** Transport method that sends a single request, once. */
const transport = Transport.prototype as unknown as { exchange: Exchange };

/** Core method that runs a single call of the engine. */
const core = Core.prototype as unknown as { runGuarded: RunGuarded };

const { exchange } = transport;
const { runGuarded } = core;

// These functions are not mocks, because mocks are removed at the end of a test, and killed operations must not
// continue after that.
transport.exchange = function (...args) {
  const process = processes.getStore();
  return process ? process.handle(() => exchange.apply(this, args)) : exchange.apply(this, args);
};
// A preview has a short time limit, after which the engine would continue with the next call.
core.runGuarded = function (...args) {
  return processes.getStore()?.isDead ? never : runGuarded.apply(this, args);
};

/**
 * Runs an operation in a simulated provider process that is killed at one of its requests.
 * @param afterEach called after each request that the server has processed
 * @returns false if the operation finished before that request
 */
export async function killedAt(
  { request, isCarriedOut }: Kill,
  work: () => Promise<unknown>,
  afterEach: () => Promise<void> = () => Promise.resolve(),
): Promise<boolean> {
  let kill: () => void;
  const killed = new Promise<true>((resolve) => (kill = () => resolve(true)));
  let sent = 0;
  const handle = async (send: () => Promise<unknown>) => {
    sent += 1;
    const isLast = sent === request;
    if (sent > request) return never;
    if (!isLast || isCarriedOut) {
      const answer = send();
      // A failed request was still sent.
      await answer.catch(() => undefined);
      await afterEach();
      if (!isLast) return answer;
    }
    process.isDead = true;
    kill();
    return never;
  };
  const process: Process = { handle, isDead: false };
  const done = processes.run(process, async () => {
    await work();
    return false;
  });
  return Promise.race([killed, done]);
}

/** Returns the kills before and after the server processes each of the first `most` requests. */
export function everyKill(most: number): Kill[] {
  return Array.from({ length: most * 2 }, (_, index) => ({
    request: 1 + Math.floor(index / 2),
    isCarriedOut: index % 2 === 1,
  }));
}
