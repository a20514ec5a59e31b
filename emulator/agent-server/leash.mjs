// Runs a command in a process group of its own and ends the whole group as soon as whoever started this
// process is gone (its standard input reaches its end) or asks for it (a signal).
//
//   node leash.mjs <command> [argument...]
import { spawn } from "node:child_process";
import { constants } from "node:os";

const [command, ...args] = process.argv.slice(2);
let child;

function killGroup() {
  if (child?.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // Nothing of the group is left.
  }
}

// Before the command starts: a signal in between would end this process alone. Events wait for the end of this
// turn, by which time there is a group to kill.
for (const event of ["end", "close", "error"]) process.stdin.on(event, killGroup);
process.stdin.resume();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, killGroup);

child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"], detached: true });
child.on("error", (error) => {
  process.stderr.write(
    error.code === "ENOENT"
      ? `${command} is not on PATH\n`
      : `${command} cannot be started: ${error.message}\n`,
  );
  process.exit(127);
});
child.on("exit", (code, signal) => {
  // What the command left in the background goes with it.
  killGroup();
  if (signal !== null) process.stderr.write(`${command} was ended by ${signal}\n`);
  process.exit(code ?? 128 + (constants.signals[signal] ?? 0));
});
