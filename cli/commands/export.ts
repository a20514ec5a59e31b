import { Command, InvalidArgumentError, Option } from "commander";
import { runCommand } from "../command-process";
import { withConnectionFlags } from "../connection";
import { type ContentKind, contentKinds, providerNames } from "../export/model";
import { type ExportOptions, exportWorkspace } from "../export/export-workspace";
import { namePattern } from "../export/names";
import { formatNames } from "../export/readme";
import { withHelp } from "../help";

/**
 * Creates the `export` command, which exports a workspace's deployments as manifests or as a Pulumi program that adopts
 * them.
 */
export function exportCommand(toolVersion: string): Command {
  const command = new Command("export")
    .description(
      "export a workspace's deployments as manifests, as a Pulumi program that adopts them, or for `pulumi import`",
    )
    .addOption(
      new Option(
        "--format <name>",
        "manifests: YAML for `Workspace`; program: a TypeScript project; import: a TypeScript project with a file for `pulumi import`",
      )
        .choices([...formatNames])
        .makeOptionMandatory(),
    )
    .addOption(
      new Option("--provider <name>", "with --format import: the provider of the imported deployments")
        .choices([...providerNames])
        .default("dynamic"),
    )
    .requiredOption("--output <folder>", "folder to write; created if it does not exist")
    .addOption(new Option("--all", "every deployment of the workspace (default)").conflicts("name"))
    .option(
      "--name <pattern>",
      "only deployments with matching names; * and ? are wildcards; may be repeated",
      pattern,
      [],
    )
    .option(
      "--include-owned",
      "also export deployments that another Pulumi resource owns, for adoption",
      false,
    )
    .option(
      "--contents [kinds]",
      `also export the contents of the deployments; by default, all kinds: ${contentKinds.join(", ")}`,
      contents,
    )
    .option("--force", "overwrite existing files with the same names; other files are kept", false)
    .option("--set-secrets", "set the values of secrets in the configuration of --stack", false);
  return withHelp(withConnectionFlags(command), {
    examples: [
      "agentserver export --format program --output exported",
      "agentserver export --format manifests --output deployments --name 'support-*' --contents",
    ],
    notes: `The files do not contain the values of secrets. With --set-secrets, each value is passed to \`pulumi config set
--secret\`: for manifests, in the project in this folder; otherwise, in the exported project, whose stack is created
if it does not exist.`,
    exitCodes: "0 success; 1 an error; 130 Ctrl-C.",
  }).action((options: ExportOptions) =>
    runCommand((context) => exportWorkspace(context, options, toolVersion)),
  );
}

function contents(text: string): ContentKind[] {
  return text.split(",").map((word) => {
    const kind = contentKinds.find((one) => one === word.trim());
    if (!kind)
      throw new InvalidArgumentError(`It must be a comma-separated list of ${contentKinds.join(", ")}.`);
    return kind;
  });
}

function pattern(text: string, before: RegExp[]): RegExp[] {
  if (text === "") throw new InvalidArgumentError("It must not be empty.");
  return [...before, namePattern(text)];
}
