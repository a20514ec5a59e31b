import { Command, InvalidArgumentError, Option } from "commander";
import { runCommand } from "../command-process";
import { withConnectionFlags } from "../connection";
import { type ContentKind, contentKinds } from "../export/contents/exported-content";
import { type ExportOptions, exportWorkspace } from "../export/export-workspace";
import { namePattern } from "../export/name-pattern";
import { formatNames } from "../export/readme";

/** `agentserver export`: a workspace's deployments as manifests, or as a Pulumi program, that adopts them. */
export function exportCommand(toolVersion: string): Command {
  const command = new Command("export")
    .description(
      "write a workspace's deployments as manifests or as a Pulumi program that adopts them, or for `pulumi import`",
    )
    .addOption(
      new Option(
        "--format <name>",
        "manifests: YAML for `Workspace`; program: a project in TypeScript; import: the same with a file for `pulumi import`",
      )
        .choices([...formatNames])
        .makeOptionMandatory(),
    )
    .requiredOption("--output <folder>", "folder to write; created if it does not exist")
    .addOption(new Option("--all", "every deployment of the workspace (default)").conflicts("name"))
    .option(
      "--name <pattern>",
      "only deployments whose names match; * and ? are wildcards; may be repeated",
      pattern,
      [],
    )
    .option("--include-owned", "also take deployments that another Pulumi resource owns", false)
    .option(
      "--contents [kinds]",
      `also what is in the deployments, or only some of it: ${contentKinds.join(", ")}`,
      contents,
    )
    .option("--force", "overwrite files of the same names, or a whole program; other files stay", false)
    .option("--set-secrets", "set the secrets' values in the configuration of --stack", false);
  return withConnectionFlags(command)
    .addHelpText(
      "after",
      `
No file holds the value of a secret. With --set-secrets each value is given to \`pulumi config set --secret\`: for
manifests in the project in this folder, otherwise in the project that is written, whose stack is made if it is not
there.

Exit codes: 0 done; 1 an error; 130 Ctrl-C.`,
    )
    .action((options: ExportOptions) =>
      runCommand((surroundings) => exportWorkspace(surroundings, options, toolVersion)),
    );
}

function contents(text: string): ContentKind[] {
  return text.split(",").map((word) => {
    const kind = contentKinds.find((one) => one === word.trim());
    if (!kind) throw new InvalidArgumentError(`It must be a list of ${contentKinds.join(", ")}.`);
    return kind;
  });
}

function pattern(text: string, before: RegExp[]): RegExp[] {
  if (text === "") throw new InvalidArgumentError("It must not be empty.");
  return [...before, namePattern(text)];
}
