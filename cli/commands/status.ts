import { Command } from "commander";
import { runCommand } from "../command-process";
import { withConnectionFlags } from "../connection";
import { showStatus, type StatusOptions } from "../status/show-status";

/** `agentserver status`: the deployments of a workspace and what they serve. */
export function statusCommand(): Command {
  const command = new Command("status")
    .description(
      "list the workspace's deployments: newest revision, what serves, and whether Pulumi manages it",
    )
    .option("--details", "ask for the revisions of every deployment: since when each one serves")
    .option(
      "--contents",
      "ask every agent server how many threads, crons, assistants and store items it holds",
    )
    .option("--previews", "show builds of pull requests, too")
    .option("--watch", "look again every five seconds, until Ctrl-C")
    .option("--json", "print JSON, with whole ids; with --watch one line a look");
  return withConnectionFlags(command)
    .addHelpText("after", "\nExit codes: 0 done; 1 an error; 130 Ctrl-C.")
    .action((options: StatusOptions) => runCommand((surroundings) => showStatus(surroundings, options)));
}
