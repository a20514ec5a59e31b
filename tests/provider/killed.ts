import { AsyncLocalStorage } from "node:async_hooks";
import { Transport } from "../../provider/http/transport";

/** A moment at which a provider process is killed. */
export interface Kill {
  /** The request, counted from 1. */
  request: number;
  /** True if the server still carries the request out. */
  isCarriedOut: boolean;
}

/** A provider process; what it still does after its death is never sent. */
interface Process {
  handle: (send: () => Promise<unknown>) => Promise<unknown>;
}

const processes = new AsyncLocalStorage<Process>();

type Send = (this: Transport, ...args: unknown[]) => Promise<unknown>;

function watchTransport(): void {
  const { value: send } = Object.getOwnPropertyDescriptor(Transport.prototype, "send") as { value: Send };
  if (jest.isMockFunction(send)) return;
  const watched: Send = function (...args) {
    const process = processes.getStore();
    return process ? process.handle(() => send.apply(this, args)) : send.apply(this, args);
  };
  jest.spyOn(Transport.prototype, "send").mockImplementation(watched);
}

/**
 * Does some work as a provider process that is killed at one of its requests would.
 * @param afterEach called after each request that was carried out
 * @returns false if the work ended before that request
 */
export async function killedAt(
  { request, isCarriedOut }: Kill,
  work: () => Promise<unknown>,
  afterEach: () => Promise<void> = () => Promise.resolve(),
): Promise<boolean> {
  watchTransport();
  const never = new Promise<never>(() => undefined);
  let kill: () => void;
  const killed = new Promise<true>((resolve) => (kill = () => resolve(true)));
  let sent = 0;
  const handle: Process["handle"] = async (send) => {
    sent += 1;
    const isLast = sent === request;
    if (sent > request) return never;
    if (!isLast || isCarriedOut) {
      const answer = await send();
      await afterEach();
      if (!isLast) return answer;
    }
    kill();
    return never;
  };
  const done = processes.run({ handle }, async () => {
    await work();
    return false;
  });
  return Promise.race([killed, done]);
}

/** Every moment of at most `most` requests. */
export function everyKill(most: number): Kill[] {
  return Array.from({ length: most * 2 }, (_, index) => ({
    request: 1 + Math.floor(index / 2),
    isCarriedOut: index % 2 === 1,
  }));
}
