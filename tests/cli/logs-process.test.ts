import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt } from "../../tools/build/ensure-built";
import { repositoryRoot } from "../../tools/repository";
import { World } from "../provider/world";
import { until } from "../tools/waiting";
import { make } from "./logs-world";

const program = join(repositoryRoot, "dist", "cli", "main.js");
const started: ChildProcess[] = [];
let world: World;

beforeAll(() => ensureBuilt(), 120_000);
beforeEach(async () => {
  world = await World.start();
  const logs = Array.from({ length: 3_000 }, (_, place) => ({ message: `line ${place}` }));
  world.admin.steer({ pace: "at once", logs });
  await make(world, "agent", "interface");
  await world.clock.advance(0);
});
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
});

/** Runs the installed `agentserver`, or a shell command that uses it. */
function agentserver(words: string[], shell?: string) {
  const env = { ...ownEnvironment(), ...world.environment };
  const command = [process.execPath, program, ...words];
  const child = shell
    ? spawn("bash", ["-c", shell, ...command], { env, stdio: ["ignore", "pipe", "pipe"] })
    : spawn(command[0]!, command.slice(1), { env, stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
  const shown = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => (shown.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (shown.stderr += text));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return { child, shown, ended };
}

function ownEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("AGENTSERVER_"));
  return Object.fromEntries(own);
}

test.each([
  ["logs", ["logs", "agent", "--build", "--follow", "--lines", "1"]],
  ["status", ["status", "--watch"]],
])("stops %s with exit code 130 on Ctrl-C, even during a pending request", async (_, words) => {
  world.admin.steer({ statuses: ["BUILDING"], pace: "at once", logs: [{ message: "line 2999" }] });
  world.admin.pushRevision("agent");
  await world.clock.advance(0);
  const { child, shown, ended } = agentserver(words);
  await until(() => /line 2999|BUILDING\s/.test(shown.stdout));
  world.admin.fault({ kind: "delay", ms: 3_600_000, path: "/**", times: 9 });

  child.kill("SIGINT");

  expect(await ended).toBe(130);
  expect(shown.stderr).not.toMatch(/ {4}at |agentserver:/);
});

test("exits silently when the reader closes the pipe", async () => {
  const { shown, ended } = agentserver(
    ["logs", "agent", "--build"],
    '"$0" "$@" | head -2; exit "${PIPESTATUS[0]}"',
  );

  expect(await ended).toBe(0);
  expect(shown.stdout.trim().split("\n")).toHaveLength(2);
  expect(shown.stderr).toMatch(/^Build log of [^\n]+\n$/);
});

test("prints an error on one line and exits with code 1", async () => {
  const missing = agentserver(["logs", "other"]);
  const wrong = agentserver(["logs", "agent", "--lines", "none"]);

  expect(await missing.ended).toBe(1);
  expect(missing.shown.stderr.trim().split("\n")).toHaveLength(1);
  expect(await wrong.ended).toBe(1);
  expect(wrong.shown.stderr).toContain("It must be a positive integer.");
});

test("lists exit codes and sources of settings in its help, and has no flag for the key", async () => {
  for (const command of ["logs", "status"]) {
    const help = agentserver([command, "--help"]);

    expect(await help.ended).toBe(0);
    expect(help.shown.stdout).toContain("Exit codes: 0 success; 1 an error;");
    expect(help.shown.stdout).toContain("AGENTSERVER_API_KEY");
    expect(help.shown.stdout).not.toContain("--api-key");
  }
});
