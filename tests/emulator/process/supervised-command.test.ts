import { join } from "node:path";
import { Readable } from "node:stream";
import { eachLine, runSupervised } from "../../../emulator/process/supervised-command";
import { packageFolder } from "../../../emulator/process/package-folder";
import { allGone, eventually, processesIn } from "../rollout/processes";
import { temporaryFolder } from "../rollout/repository";

function runScript(script: string, signal = new AbortController().signal) {
  const folder = temporaryFolder("supervised");
  const lines: string[] = [];
  const line = (text: string, from: string) => void lines.push(`${from}: ${text}`);
  const code = runSupervised({
    command: "sh",
    args: ["-c", script],
    folder,
    environment: process.env,
    signal,
    line,
  });
  return { folder, lines, code };
}

test("returns the output and exit code of a command", async () => {
  const { code, lines } = runScript("echo one; echo two >&2; exit 5");
  expect(await code).toBe(5);
  expect(lines.sort()).toEqual(["stderr: two", "stdout: one"]);
});

test("stops background processes when their command exits", async () => {
  const { code, folder } = runScript("sleep 1000 & exit 0");
  expect(await code).toBe(0);
  await allGone(folder);
});

test("stops an aborted command and all of its processes", async () => {
  const giveUp = new AbortController();
  const { code, folder } = runScript("trap '' TERM INT HUP; sleep 1000 & sleep 1000", giveUp.signal);
  const outcome = code.catch((error: unknown) => error);
  await eventually(() => processesIn(folder).length >= 4, "all have started");
  giveUp.abort(new Error("given up"));
  expect(await outcome).toMatchObject({ message: "given up" });
  await allGone(folder);
});

test("returns a separate exit code if a command does not exist", async () => {
  const folder = temporaryFolder("supervised");
  const lines: string[] = [];
  const code = await runSupervised({
    command: "no-such-command",
    args: [],
    folder,
    environment: process.env,
    signal: new AbortController().signal,
    line: (text) => void lines.push(text),
  });
  expect(code).toBe(127);
  expect(lines).toEqual(["no-such-command is not on PATH"]);
});

test("combines partial lines, and truncates endless lines", async () => {
  const lines: string[] = [];
  const euro = Buffer.from("€");
  const stream = Readable.from([
    Buffer.from("a"),
    euro.subarray(0, 1),
    euro.subarray(1),
    Buffer.from("\r\nb\n\nc"),
  ]);
  eachLine(stream, (line) => void lines.push(line));
  await new Promise((resolve) => stream.on("close", resolve));
  expect(lines).toEqual(["a€", "b", "", "c"]);
  const endless: number[] = [];
  const long = Readable.from(Array.from({ length: 100 }, () => Buffer.alloc(1024, "x")));
  eachLine(long, (line) => void endless.push(line.length));
  await new Promise((resolve) => long.on("close", resolve));
  expect(endless).toEqual([64 * 1024]);
});

test("finds the package folder when the source code is run directly", () => {
  expect(packageFolder()).toBe(join(__dirname, "../../../emulator"));
});
