import { Command, Option } from "commander";
import { runCommand } from "../command-process";
import { withHelp } from "../help";
import { type ValidateOptions, validateManifests } from "../validate/validate-manifests";

/** Creates the `validate` command, which checks a folder of manifests without a connection. */
export function validateCommand(): Command {
  const command = new Command("validate")
    .description("check a folder of manifests and its overlays; needs no connection and no stack")
    .argument("<folder>", "folder with the manifests")
    .option("--stack <name>", "check with the overlays of this stack; may be repeated", collect, [])
    .option("--overlays <folder>", "check with the overlays in this folder")
    .option("--allow-empty", "accept a folder that declares no deployments", false)
    .addOption(
      new Option("--format <name>", "text: one line per error; json")
        .choices(["text", "json"])
        .default("text"),
    );
  return withHelp(command, {
    examples: [
      "agentserver validate deployments",
      "agentserver validate deployments --stack prod --format json",
    ],
    notes: `Without --stack and --overlays, the manifests are checked alone and with the overlays of each stack.
Errors are printed as file:line:column: message.`,
    exitCodes:
      "0 valid; 1 the check could not run, for example because a folder does not exist; 2 errors in the manifests.",
  }).action((folder: string, options: ValidateOptions) =>
    runCommand((context) => validateManifests(context, folder, options)),
  );
}

function collect(value: string, before: string[]): string[] {
  return [...before, value];
}
