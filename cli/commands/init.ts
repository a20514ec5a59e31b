import { Command, Option } from "commander";
import { runCommand } from "../command-process";
import { withHelp } from "../help";
import { initProject, type InitOptions } from "../init/init-project";
import { languageNames } from "../init/program-files";

/** Creates the `init` command, which writes a program for the graphs in a folder. */
export function initCommand(toolVersion: string): Command {
  const command = new Command("init")
    .description("write a small Pulumi program or a manifest that deploys the graphs in a folder")
    .argument("[folder]", "folder with the graph configuration, or a parent folder", ".")
    .addOption(
      new Option(
        "--language <name>",
        'language of the program, or "manifests"; by default, the language of the graphs',
      ).choices([...languageNames]),
    )
    .option(
      "--output <folder>",
      "folder to write to (default: infra in the given folder, or deployments for manifests)",
    );
  return withHelp(command, {
    examples: ["agentserver init", "agentserver init agent --language python --output infra"],
    notes: `Existing files are never overwritten. The variables in the env file become secrets in the
configuration of the stack, but their values are not copied.`,
    exitCodes: "0 success; 1 an error; 130 Ctrl-C.",
  }).action((folder: string, options: InitOptions) =>
    runCommand((context) => initProject(context, folder, options, toolVersion)),
  );
}
