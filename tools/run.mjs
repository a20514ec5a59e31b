#!/usr/bin/env node
// Entry point: `node tools/run.mjs <command> [arguments]`. Runs on Node.js 20 or later without installed packages,
// updates the dependencies, and starts tools/commands/<command>.ts on the project's Node.js version.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const minNodeVersion = 20;

if (Number(process.versions.node.split(".")[0]) < minNodeVersion) {
  console.error(
    `Node ${minNodeVersion} or later is required, but this is ${process.version}. Install a newer version and try again.`,
  );
  process.exit(1);
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [command, ...commandArguments] = process.argv.slice(2);

const { isFresh } = await import("./bootstrap/freshness.mjs");
if (!isFresh(root)) {
  const { install } = await import("./bootstrap/install.mjs");
  const failure = await install(root);
  if (failure !== undefined) process.exit(failure);
}

const { launch } = await import("./bootstrap/launch.mjs");
process.exitCode = await launch(root, command, commandArguments);
