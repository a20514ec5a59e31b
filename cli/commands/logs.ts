import { Command, InvalidArgumentError } from "commander";
import { runCommand } from "../command-process";
import { withConnectionFlags } from "../connection";
import { type LogsOptions, showLogs } from "../logs/show-logs";

/** `agentserver logs`: prints what the build of a revision, or its agent server, said. */
export function logsCommand(): Command {
  const command = new Command("logs")
    .description("print the log of a deployment's revision, oldest line first; times are UTC")
    .argument("<deployment>", "its name or its id")
    .option("--revision <id>", "this revision, by its id or the beginning of it, in place of the newest one")
    .option("--build", "the build log in place of the runtime log")
    .option("--follow", "follow it: the build log until the revision settles, the runtime log until Ctrl-C")
    .option("--lines <number>", "show at most this many of the newest lines", count);
  return withConnectionFlags(command)
    .addHelpText(
      "after",
      `
Exit codes: 0 done; 1 an error; 2 the revision whose build log was followed ended in failure; 3 this server keeps no
logs; 130 Ctrl-C.`,
    )
    .action((deployment: string, options: LogsOptions) =>
      runCommand((surroundings) => showLogs(surroundings, deployment, options)),
    );
}

function count(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number of at least 1.");
}
