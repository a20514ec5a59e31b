import { spawn } from "node:child_process";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { constants } from "node:os";
import { basename, delimiter, join } from "node:path";
import { projectNode } from "./freshness.mjs";

/** Runs tools/commands/<command>.ts with the project's Node.js version, and resolves with the exit code. */
export function launch(root, command, commandArguments) {
  const available = commands(root);
  if (!available.includes(command)) {
    console.error(
      `${command ? `Unknown command "${command}".` : "Specify a command."} Available commands: ${available.join(", ")}.`,
    );
    return 2;
  }
  const node = projectNode(root);
  if (!existsSync(node)) {
    console.error(
      `The project's own Node is missing (${node}): run \`npm ci\` with install scripts allowed, then try again.`,
    );
    return 1;
  }
  const bin = join(root, "node_modules", ".bin");
  const child = spawn(
    realpathSync(node),
    ["--import", "tsx", join(root, "tools", "commands", `${command}.ts`), ...commandArguments],
    {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}` },
    },
  );
  return waitForExit(child);
}

function waitForExit(child) {
  // A terminal also sends Ctrl-C to the child; without a terminal, only this process receives the signal.
  const atTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  const forward = (signal) => child.kill(signal);
  process.on("SIGINT", (signal) => atTerminal || forward(signal));
  process.on("SIGTERM", forward);
  process.on("SIGHUP", forward);
  return new Promise((resolve) => {
    child.on("error", (error) => {
      console.error(`The project's own Node could not be started: ${error.message}`);
      resolve(1);
    });
    child.on("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

function commands(root) {
  return readdirSync(join(root, "tools", "commands"))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => basename(file, ".ts"))
    .sort();
}
