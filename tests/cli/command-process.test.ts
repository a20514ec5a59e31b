import { runCommand } from "../../cli/command-process";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

// Otherwise, the time limit for the shutdown would end the test process.
beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  for (const signal of signals) process.removeAllListeners(signal);
  process.exitCode = undefined;
  jest.restoreAllMocks();
});

test("ignores repeated Ctrl-C for one second, and then exits immediately on another Ctrl-C", async () => {
  const exit = jest.spyOn(process, "exit").mockReturnValue(undefined as never);
  const now = jest.spyOn(performance, "now").mockReturnValue(5_000);
  let finish = () => {};
  const run = runCommand(() => new Promise<void>((resolve) => (finish = resolve)), 60_000);
  // True if there is a listener. Otherwise, the signal would end the process.
  expect(process.emit("SIGINT")).toBe(true);
  now.mockReturnValue(6_000);
  expect(process.emit("SIGINT")).toBe(true);
  expect(process.emit("SIGTERM")).toBe(true);
  expect(exit).not.toHaveBeenCalled();
  now.mockReturnValue(6_001);
  expect(process.emit("SIGINT")).toBe(true);
  expect(exit.mock.calls).toEqual([[130]]);
  finish();
  await run;
  expect(process.exitCode).toBe(0);
});
