import type { PulumiCommand } from "@pulumi/pulumi/automation";
import { EngineCommands } from "../../../emulator/testing/engine-commands";

interface Started {
  args: string[];
  interruptions: number;
  end: () => void;
}

/** Creates a fake command. Each of its runs continues until the test ends it, or until this number of interruptions. */
function fakeCommand(interruptionsUntilEnd: number) {
  const started: Started[] = [];
  const run = (
    args: string[],
    _cwd: string,
    _env: object,
    _out: unknown,
    _err: unknown,
    signal: AbortSignal,
  ) =>
    new Promise<string>((resolve, reject) => {
      const one: Started = { args, interruptions: 0, end: () => resolve("done") };
      started.push(one);
      signal.addEventListener("abort", () => {
        one.interruptions += 1;
        if (one.interruptions === interruptionsUntilEnd) reject(new Error("interrupted"));
      });
    });
  const commands = new EngineCommands();
  const command = commands.including({ command: "pulumi", version: null, run } as unknown as PulumiCommand);
  const start = (signal?: AbortSignal) =>
    (command as unknown as { run: (...parameters: unknown[]) => Promise<string> }).run(
      ...[["up"], "folder", {}, undefined, undefined, signal],
    );
  return { command, commands, started, start };
}

test("passes the arguments to the command, and returns the result", async () => {
  const { command, start, started } = fakeCommand(1);
  expect(command.command).toBe("pulumi");
  const end = start();
  expect(started[0]!.args).toEqual(["up"]);
  started[0]!.end();
  expect(await end).toBe("done");
});

test("interrupts running commands, and waits until they have ended", async () => {
  const { commands, start, started } = fakeCommand(1);
  const finished = start();
  started[0]!.end();
  await finished;
  const ends = [start(), start()].map((end) => end.catch((error: unknown) => (error as Error).message));
  await commands.stop();
  expect(await Promise.all(ends)).toEqual(["interrupted", "interrupted"]);
  expect(started.map(({ interruptions }) => interruptions)).toEqual([0, 1, 1]);
});

test("terminates a command that does not end after an interrupt", async () => {
  const { commands, start, started } = fakeCommand(2);
  const end = start().catch((error: unknown) => (error as Error).message);
  await commands.stop();
  expect(await end).toBe("interrupted");
  expect(started[0]!.interruptions).toBe(2);
});

test("rejects commands after it has been stopped", async () => {
  const { commands, start, started } = fakeCommand(1);
  await commands.stop();
  await expect(start()).rejects.toThrow("The control plane is closed");
  expect(started).toEqual([]);
});

test("interrupts a command when the caller's signal aborts", async () => {
  const { start } = fakeCommand(1);
  const cancel = new AbortController();
  const end = start(cancel.signal);
  cancel.abort();
  await expect(end).rejects.toThrow("interrupted");
});
