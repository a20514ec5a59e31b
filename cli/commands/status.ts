import { Command, Option } from "commander";
import { runCommand } from "../command-process";
import { withConnectionFlags } from "../connection";
import { withHelp } from "../help";
import { showStatus, type StatusOptions } from "../status/show-status";

/** Creates the `status` command, which lists the deployments of a workspace and their serving revisions. */
export function statusCommand(): Command {
  const command = new Command("status")
    .description(
      "list the workspace's deployments: newest revision, serving revision, and whether Pulumi manages them",
    )
    .option(
      "--details",
      "read the revisions of every deployment, to show when each active revision started serving requests",
    )
    .option("--contents", "count the threads, crons, assistants, and store items on every agent server")
    .option("--previews", "include previews of pull requests")
    .addOption(
      new Option(
        "--promotions",
        "show the environments of --stack in the order of promotion, and what is waiting to be promoted; reads the stack's state",
      ).conflicts(["details", "contents", "previews", "watch"]),
    )
    .option("--watch", "refresh every five seconds until Ctrl-C")
    .option("--json", "print JSON with full IDs; with --watch, one line per refresh");
  return withHelp(withConnectionFlags(command), {
    examples: ["agentserver status --contents", "agentserver status --stack dev --promotions"],
    exitCodes: "0 success; 1 an error; 130 Ctrl-C.",
  }).action((options: StatusOptions) => runCommand((context) => showStatus(context, options)));
}
