#!/usr/bin/env node
import { Command } from "commander";
import { doctorCommand } from "./commands/doctor";
import { emulateCommand } from "./commands/emulate";
import { exportCommand } from "./commands/export";
import { initCommand } from "./commands/init";
import { logsCommand } from "./commands/logs";
import { openCommand } from "./commands/open";
import { reviewCommand } from "./commands/review";
import { statusCommand } from "./commands/status";
import { validateCommand } from "./commands/validate";

// eslint-disable-next-line @typescript-eslint/no-require-imports -- An import would copy package.json into the build.
const { version } = require("../../package.json") as { version: string };

const program = new Command("agentserver")
  .description("Manage agent server deployments from the command line")
  .version(version)
  .addCommand(initCommand(version))
  .addCommand(doctorCommand())
  .addCommand(emulateCommand())
  .addCommand(reviewCommand(version))
  .addCommand(statusCommand())
  .addCommand(logsCommand())
  .addCommand(openCommand())
  .addCommand(exportCommand(version))
  .addCommand(validateCommand());

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`agentserver: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
