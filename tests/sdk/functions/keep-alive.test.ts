import * as pulumi from "@pulumi/pulumi";
import { AgentServerError } from "../../../sdk";
import { runtime as internals } from "../../../sdk/components/pulumi-runtime";
import { failWith, keepAlive } from "../../../sdk/functions/keep-alive";
import { withoutEngine } from "../program";

/**
 * Runtime functions of Pulumi's SDK, including `waitForRPCs`, which its types omit. An inline program ends when
 * `waitForRPCs` resolves.
 */
const runtime = pulumi.runtime as typeof pulumi.runtime & { waitForRPCs: () => Promise<void> };

beforeEach(() => withoutEngine());

test("keeps an inline program running until it is released", async () => {
  const release = keepAlive();
  let hasEnded = false;
  const end = runtime.waitForRPCs().then(() => (hasEnded = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(hasEnded).toBe(false);
  release();
  await end;
});

test("fails an inline program before the engine can delete resources not declared yet", async () => {
  await failWith(Promise.reject(new Error("the state cannot be read")));
  await expect(runtime.waitForRPCs()).rejects.toThrow("the state cannot be read");
});

test("fails an inline program with an unhandled error, because outputs may never resolve", async () => {
  const failed = failWith(new Promise(() => {}));
  const error = new Error("staging failed");
  (process as NodeJS.EventEmitter).emit("unhandledRejection", error, Promise.resolve());
  await failed;
  await expect(runtime.waitForRPCs()).rejects.toThrow("staging failed");
});

test("ignores an error of another program in the same process", async () => {
  let finish: () => void = () => {};
  const ended = failWith(new Promise<void>((resolve) => (finish = resolve)));
  internals.withLocalStorage(() =>
    (process as NodeJS.EventEmitter).emit(
      "unhandledRejection",
      new Error("another program"),
      Promise.resolve(),
    ),
  );
  finish();
  await ended;
  await expect(runtime.waitForRPCs()).resolves.toBeUndefined();
});

test("does not cause Node.js warnings about unhandled rejections after the error", async () => {
  const warned: unknown[] = [];
  const warn = (error: unknown) => void warned.push(error);
  process.on("unhandledRejection", warn);
  await failWith(Promise.reject(new Error("nothing can be promoted")));
  pulumi.runtime.rpcKeepAlive()();
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", warn);
  expect(warned).toEqual([]);
  await expect(runtime.waitForRPCs()).rejects.toThrow("nothing can be promoted");
});

test("removes the stack trace of an expected error, but not of an internal error", async () => {
  const known = new AgentServerError("bad_configuration", "nothing can be promoted");
  const bug = new AgentServerError("internal", "a bug");
  for (const error of [known, bug]) await failWith(Promise.reject(error));
  expect(known.stack).toBe("nothing can be promoted");
  // Pulumi inserts the name of the output that it serializes.
  known.message = `error serializing property "url": ${known.message}`;
  expect(known.message).toBe("nothing can be promoted");
  expect(bug.stack).toContain("keep-alive.test");
});
