import { Command, InvalidArgumentError, Option } from "commander";
import { runCommand } from "../command-process";
import { withConnectionFlags } from "../connection";
import { withHelp } from "../help";
import { type LogLevel, logLevels } from "../logs/log-level";
import { type LogsOptions, showLogs } from "../logs/show-logs";

/** Creates the `logs` command, which prints the build log or the runtime log of a revision. */
export function logsCommand(): Command {
  const command = new Command("logs")
    .description("print the log of a deployment's revision, oldest line first; times are UTC")
    .argument("<deployment>", "name or ID of the deployment")
    .option(
      "--revision <id>",
      "ID of the revision, or the beginning of the ID; by default, the newest revision",
    )
    .option("--build", "print the build log instead of the runtime log")
    .option(
      "--follow",
      "follow the log: the build log until the rollout finishes, the runtime log until Ctrl-C",
    )
    .option("--lines <number>", "print only this many of the newest lines", count)
    .addOption(
      new Option("--level <level>", "print only lines of this level or above")
        .choices(logLevels)
        .argParser(level),
    );
  return withHelp(withConnectionFlags(command), {
    examples: [
      "agentserver logs support-agent --build --follow",
      "agentserver logs support-agent --level warning --lines 50 --stack dev",
    ],
    exitCodes: `0 success; 1 an error; 2 the revision failed (only with --build --follow); 3 the server keeps no logs;
130 Ctrl-C.`,
  }).action((deployment: string, options: LogsOptions) =>
    runCommand((context) => showLogs(context, deployment, options)),
  );
}

function count(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a positive integer.");
}

function level(text: string): LogLevel {
  const found = logLevels.find((one) => one === text.toLowerCase());
  if (found) return found;
  throw new InvalidArgumentError(`Allowed choices are ${logLevels.join(", ")}.`);
}
