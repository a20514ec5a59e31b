import * as pulumi from "@pulumi/pulumi";

/** Settings of the running program. Pulumi's types omit them. */
interface Store {
  settings: { rpcDone: Promise<unknown> };
}

// eslint-disable-next-line @typescript-eslint/no-require-imports -- Pulumi does not declare this function.
const { getStore } = require("@pulumi/pulumi/runtime/state") as { getStore: () => Store };

/**
 * Keeps the program running until the returned function is called. Otherwise, a program that has nothing else to wait
 * for would end before it has declared all of its resources, and the engine would delete the undeclared ones.
 */
export function keepAlive(): () => void {
  // An inline program ends when Pulumi has no requests to wait for. Any other program ends when its process has nothing
  // left to do.
  const release = pulumi.runtime.rpcKeepAlive();
  const timer = setInterval(() => {}, 2 ** 31 - 1);
  return () => {
    clearInterval(timer);
    release();
  };
}

/**
 * Fails the program with the same error if `work` rejects. Also fails the program if the process exits successfully
 * before `work` has settled, because Pulumi does not notice that a program calls `process.exit` while nothing is being
 * registered.
 */
export async function failIfEnded(message: string, work: Promise<unknown>): Promise<void> {
  const onExit = (code: number) => {
    if (code !== 0) return;
    process.stderr.write(`${message}\n`);
    process.exitCode = 1;
  };
  process.on("exit", onExit);
  await failWith(work);
  process.off("exit", onExit);
}

/**
 * Keeps an inline program running until `work` settles. If `work` rejects, fails the pending requests of the program
 * with the same error, so that the engine does not delete undeclared resources before the program reports the error.
 * Also stops waiting on any unhandled error, because the outputs of a failed resource never resolve.
 */
export async function failWith(work: Promise<unknown>): Promise<void> {
  // Does not use a timer, because a process that has nothing else to do must be able to exit.
  const release = pulumi.runtime.rpcKeepAlive();
  const store = getStore();
  const { settings } = store;
  let fail: (error: unknown) => void = () => {};
  const unhandled = new Promise<never>((_, reject) => (fail = reject));
  if (waiting.size === 0) process.on("unhandledRejection", failProgram);
  waiting.set(fail, store);
  await Promise.race([work, unhandled]).catch((error: unknown) => {
    failRequests(settings, printedAlone(error));
  });
  waiting.delete(fail);
  if (waiting.size === 0) process.off("unhandledRejection", failProgram);
  release();
}

/** Fails all requests of a program, including later requests, because Pulumi appends later requests to earlier ones. */
function failRequests(settings: Store["settings"], error: unknown): void {
  let { rpcDone } = settings;
  Object.defineProperty(settings, "rpcDone", {
    configurable: true,
    enumerable: true,
    get: () => rpcDone,
    set: (requests: Promise<unknown>) => {
      rpcDone = requests;
      // Pulumi reports the error when it waits for its requests. Until then, Node.js would warn about it.
      requests.catch(() => {});
    },
  });
  settings.rpcDone = rpcDone.then(() => {
    throw error;
  });
}

/**
 * Makes Pulumi print only the unchanged message of a `RunError`. By default, Pulumi also prints the stack trace if the
 * error occurs after the last line of the program has run. In addition, Pulumi inserts the names of the outputs that
 * depend on the failed value into the message, in an order that varies.
 */
export function printedAlone<Failure>(error: Failure): Failure {
  if (!pulumi.RunError.isInstance(error)) return error;
  const { message } = error;
  Object.defineProperty(error, "message", { configurable: true, get: () => message, set: () => {} });
  error.stack = message;
  return error;
}

/** Programs for which `failWith` is waiting, keyed by the function that ends the wait with an error. */
const waiting = new Map<(error: unknown) => void, Store>();

/** Ends the waits of the program that caused the rejection. A process may run several inline programs. */
function failProgram(error: unknown): void {
  // Node.js calls the listener in the asynchronous context of the promise that was rejected.
  const program = getStore();
  for (const [fail, store] of waiting) if (store === program) fail(error);
}
