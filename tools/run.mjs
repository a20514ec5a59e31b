#!/usr/bin/env node
// The way in: `node tools/run.mjs <command> [arguments]`. Runs on any Node from 20 on, needs nothing installed,
// brings the dependencies up to date and hands over to tools/commands/<command>.ts on the project's own Node.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const oldestNode = 20;

if (Number(process.versions.node.split(".")[0]) < oldestNode) {
  console.error(
    `Node ${oldestNode} or later is needed, this is ${process.version}: install a newer Node and try again.`,
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
