import { Command, Option } from "commander";
import { runCommand } from "../command-process";
import { type ValidateOptions, validateManifests } from "../validate/validate-manifests";

/** `agentserver validate`: what is wrong with a folder of manifests, without any connection. */
export function validateCommand(): Command {
  return new Command("validate")
    .description("check a folder of manifests and its overlays; needs no connection and no stack")
    .argument("<folder>", "folder with the manifests")
    .option("--stack <name>", "check with the overlays of this stack; may be repeated", collected, [])
    .option("--overlays <folder>", "check with the overlays in this folder")
    .option("--allow-empty", "accept a folder that declares no deployment", false)
    .addOption(
      new Option("--format <name>", "text: one line for each fault; json")
        .choices(["text", "json"])
        .default("text"),
    )
    .addHelpText(
      "after",
      `
Without --stack and --overlays, the manifests are checked by themselves and with the overlays of every stack. Faults
are printed as file:line:column: message.

Exit codes: 0 no faults; 1 an error, such as a folder that does not exist; 2 faults.`,
    )
    .action((folder: string, options: ValidateOptions) =>
      runCommand((surroundings) => validateManifests(surroundings, folder, options)),
    );
}

function collected(value: string, before: string[]): string[] {
  return [...before, value];
}
