// Runs a command and, when it exits or must stop, stops everything that it started. The command is stopped
//
// - when the process that started this one no longer exists (standard input reaches its end): it is asked to exit, and
//   killed after the grace period, which is 0 by default;
// - on a signal: it is killed immediately.
//
// The line "stop" on standard input only asks the command to exit.
//
//   node supervise.mjs [--environment] [--grace=<milliseconds>] [--cgroup=<folder>] <command> [argument...]
//
// With --environment, the first line on standard input is the command's environment as JSON. Only the command receives
// it: code that `NODE_OPTIONS` and similar variables load must not run in this process, and process lists must not show
// it.
//
// If the environment of this process contains the ID of a process tree, processes that left the process group also
// belong to the command; see process-tree.cjs.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { createInterface } from "node:readline";
import { report } from "./parent.mjs";
import { killTree, treeVariable, startInCgroup } from "./process-tree.cjs";

const words = process.argv.slice(2);
const options = { grace: "0", cgroup: undefined, environment: undefined };
while (words[0]?.startsWith("--")) {
  const [, name, value = ""] = /^--(\w+)(?:=(.*))?$/s.exec(words.shift());
  options[name] = value;
}
const [command, ...args] = words;
const graceMs = Number(options.grace);
const id = process.env[treeVariable];
let child;
let asked = false;
let ending;

function ask() {
  if (!asked) child?.kill("SIGTERM");
  asked = true;
}

function end() {
  if (child === undefined) process.exit(0);
  ending ??= killTree({
    group: child.pid,
    ...(id === undefined ? {} : { id, root: process.pid, cgroup: options.cgroup }),
  });
  return ending;
}

function endSoon() {
  if (graceMs === 0 || child === undefined) return end();
  ask();
  setTimeout(end, graceMs);
}

function start(environment) {
  const spawned = () =>
    spawn(command, args, {
      stdio: ["ignore", "inherit", "inherit", ...link()],
      detached: true,
      env: environment,
    });
  try {
    child = id === undefined || !options.cgroup ? spawned() : startInCgroup(options.cgroup, spawned);
  } catch (error) {
    return refused(error);
  }
  child.on("error", refused);
  child.on("exit", async (code, signal) => {
    // Background processes of the command are stopped with it.
    const left = await end();
    if (left.length > 0) process.stderr.write(`Processes that could not be stopped: ${left.join(", ")}\n`);
    if (signal !== null && graceMs === 0) process.stderr.write(`${command} was terminated by ${signal}\n`);
    process.exit(code ?? 128 + (constants.signals[signal] ?? 0));
  });
}

function refused(error) {
  if (graceMs > 0) report({ type: "refused", code: error.code });
  process.stderr.write(
    error.code === "ENOENT"
      ? `${command} is not on PATH\n`
      : `${command} cannot be started: ${error.message}\n`,
  );
  process.exit(127);
}

/** Returns the link to the parent process, which exists only for commands with a grace period. */
function link() {
  return graceMs > 0 ? [3] : [];
}

// The listeners are added before the command starts, because an earlier signal would otherwise stop only this process.
for (const event of ["end", "close", "error"]) process.stdin.once(event, endSoon);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, end);

if (options.environment === undefined) {
  process.stdin.on("data", ask);
  start(process.env);
} else {
  const lines = createInterface({ input: process.stdin });
  lines.once("line", (line) => {
    lines.on("line", ask);
    start(JSON.parse(line));
  });
}
