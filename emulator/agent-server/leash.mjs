// Runs a command and, when it ends or is to end, ends everything that it has started. The command ends
//
// - when whoever started this process is gone (standard input reaches its end): it is asked to, and made to after the
//   grace, which is none unless it is given;
// - at a signal: it is made to at once.
//
// The line "stop" on standard input asks the command to end, and no more.
//
//   node leash.mjs [--grace=<milliseconds>] [--cgroup=<folder>] <command> [argument...]
//
// Where the environment names a scope, what left the process group belongs to the command, too; see scope.cjs.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { endScope, scopeVariable, startInCgroup } from "./scope.cjs";

const words = process.argv.slice(2);
const options = { grace: "0", cgroup: undefined };
while (words[0]?.startsWith("--")) {
  const [, name, value] = /^--(\w+)=(.*)$/s.exec(words.shift());
  options[name] = value;
}
const [command, ...args] = words;
const graceMs = Number(options.grace);
const id = process.env[scopeVariable];
let child;
let asked = false;
let ending;

function ask() {
  if (!asked) child.kill("SIGTERM");
  asked = true;
}

function end() {
  ending ??= endScope({
    group: child.pid,
    ...(id === undefined ? {} : { id, root: process.pid, cgroup: options.cgroup }),
  });
  return ending;
}

function endSoon() {
  if (graceMs === 0) return end();
  ask();
  setTimeout(end, graceMs);
}

// Before the command starts: a signal in between would end this process alone. Events wait for the end of this
// turn, by which time there is something to end.
for (const event of ["end", "close", "error"]) process.stdin.once(event, endSoon);
process.stdin.on("data", ask);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, end);

const start = () =>
  spawn(command, args, { stdio: ["ignore", "inherit", "inherit", ...link()], detached: true });
child = id === undefined || !options.cgroup ? start() : startInCgroup(options.cgroup, start);
child.on("error", (error) => {
  process.stderr.write(
    error.code === "ENOENT"
      ? `${command} is not on PATH\n`
      : `${command} cannot be started: ${error.message}\n`,
  );
  process.exit(127);
});
child.on("exit", async (code, signal) => {
  // What the command left in the background goes with it.
  const left = await end();
  if (left.length > 0) process.stderr.write(`Processes that cannot be ended: ${left.join(", ")}\n`);
  if (signal !== null && graceMs === 0) process.stderr.write(`${command} was ended by ${signal}\n`);
  process.exit(code ?? 128 + (constants.signals[signal] ?? 0));
});

/** A command that has a grace also has a link of its own to whoever started it. */
function link() {
  return graceMs > 0 ? [3] : [];
}
