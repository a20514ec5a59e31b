import { Command } from "commander";
import { completionCommand } from "./commands/completion";
import { devCommand } from "./commands/dev";
import { doctorCommand } from "./commands/doctor";
import { emulateCommand } from "./commands/emulate";
import { exportCommand } from "./commands/export";
import { initCommand } from "./commands/init";
import { logsCommand } from "./commands/logs";
import { openCommand } from "./commands/open";
import { reviewCommand } from "./commands/review";
import { statusCommand } from "./commands/status";
import { validateCommand } from "./commands/validate";
import { withHelp } from "./help";

/** Creates the command-line interface with all commands. */
export function createProgram(version: string): Command {
  const program = new Command("agentserver")
    .description("Manage agent server deployments from the command line")
    .version(version)
    .addCommand(initCommand(version))
    .addCommand(devCommand())
    .addCommand(doctorCommand())
    .addCommand(emulateCommand())
    .addCommand(reviewCommand(version))
    .addCommand(statusCommand())
    .addCommand(logsCommand())
    .addCommand(openCommand())
    .addCommand(exportCommand(version))
    .addCommand(validateCommand());
  program.addCommand(completionCommand(program));
  return withHelp(program, { examples: ["agentserver init", "agentserver status --stack dev"] });
}
