import * as pulumi from "@pulumi/pulumi";

/** Settings of the program that runs. Pulumi's types omit them. */
interface Store {
  settings: { rpcDone: Promise<unknown> };
}

// eslint-disable-next-line @typescript-eslint/no-require-imports -- Pulumi does not declare this function.
const { getStore } = require("@pulumi/pulumi/runtime/state") as { getStore: () => Store };

/**
 * Prevents the end of the program, until the returned function is called. A program with nothing else to wait for ends,
 * and the engine deletes the resources that it has not declared.
 */
export function keepAlive(): () => void {
  // An inline program ends when Pulumi waits for no requests, any other program when its process has nothing to do.
  const release = pulumi.runtime.rpcKeepAlive();
  const timer = setInterval(() => {}, 2 ** 31 - 1);
  return () => {
    clearInterval(timer);
    release();
  };
}

/**
 * Fails the program with the error of the work, and turns a successful end of the process into a failure until then.
 * Pulumi does not notice the end of a program that calls `process.exit` while nothing is being registered.
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
 * Prevents the end of an inline program until the work has ended, and fails it with its error. Such a program reports
 * errors only after the engine has deleted what it has not declared, unless its requests fail. The outputs of a resource
 * that failed never resolve, so the work also ends with an error that the program does not handle.
 */
export async function failWith(work: Promise<unknown>): Promise<void> {
  // Without a timer: a process that has nothing else to do must be able to exit.
  const release = pulumi.runtime.rpcKeepAlive();
  const { settings } = getStore();
  let fail: (error: unknown) => void = () => {};
  const unhandled = new Promise<never>((_, reject) => (fail = reject));
  if (failures.size === 0) process.on("unhandledRejection", failAll);
  failures.add(fail);
  await Promise.race([work, unhandled]).catch((error: unknown) => {
    settings.rpcDone = settings.rpcDone.then(() => {
      throw error;
    });
    // Pulumi reports the error when it waits for its requests.
    settings.rpcDone.catch(() => {});
  });
  failures.delete(fail);
  if (failures.size === 0) process.off("unhandledRejection", failAll);
  release();
}

/** Functions that end the work of all components and promotions that are waiting. */
const failures = new Set<(error: unknown) => void>();

function failAll(error: unknown): void {
  for (const fail of failures) fail(error);
}
