#!/usr/bin/env node
import { createProgram } from "./program";

// eslint-disable-next-line @typescript-eslint/no-require-imports -- An import would copy package.json into the build.
const { version } = require("../../package.json") as { version: string };

createProgram(version)
  .parseAsync()
  .catch((error: unknown) => {
    process.stderr.write(`agentserver: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
