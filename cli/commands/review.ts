import { Command, InvalidArgumentError, Option } from "commander";
import { runCommand } from "../command-process";
import { withConnectionFlags } from "../connection";
import { withHelp } from "../help";
import { formatNames } from "../review/formats";
import { gateNames, type GateName } from "../review/gates";
import { showReview, type ReviewCommandOptions } from "../review/show-review";

/** Creates the `review` command, which reports how a preview affects the deployments of a stack. */
export function reviewCommand(toolVersion: string): Command {
  const command = new Command("review")
    .description(
      "report how a previewed update affects deployments: rollouts, replacements, and lost data, with reasons",
    )
    .argument("[file]", "output of `pulumi preview --json`, or a JSON report; - reads standard input")
    .option("--cwd <folder>", "folder of the Pulumi project; by default, this folder")
    .option("--policy-pack <folder>", "policy pack to apply, only with --stack; may be repeated", collect, [])
    .option(
      "--policy-pack-config <file>",
      "configuration of a policy pack, as for `pulumi preview`; one per policy pack",
      collect,
      [],
    )
    .option("--refresh", "detect drift first, only with --stack", false)
    .option("--offline", "send no requests to the control plane or to agent servers", false)
    .addOption(
      new Option(
        "--fail-on <list>",
        `comma-separated list of conditions that fail the review: ${gateNames.join(", ")}`,
      )
        .argParser(gates)
        .default([], "none"),
    )
    .option("--max-rollouts <number>", "fail if more deployments than this are rolled out", wholeNumber)
    .option(
      "--approve-replace <name>",
      "resource that may be replaced: a deployment's name, KIND:NAME, or a URN; may be repeated",
      collect,
      [],
    )
    .addOption(
      new Option(
        "--format <name>",
        "output format; by default, terminal on a terminal and markdown otherwise",
      ).choices([...formatNames]),
    )
    .option("--output <file>", "write the report to this file");
  return withHelp(withConnectionFlags(command), {
    examples: [
      "agentserver review --stack prod --refresh --fail-on replace,delete",
      "agentserver review preview.json --format markdown --output review.md",
    ],
    notes: `With a file, reviews the preview in it. A report written with --format json is only converted to another format; its
result stays the same. Without a file, runs \`pulumi preview\` for --stack. Policy results are only available in this mode, because
the output of \`pulumi preview --json\` does not contain them.`,
    exitCodes:
      "0 passed; 1 an error; 2 a condition of --fail-on or --max-rollouts is met; 3 the preview failed; 130 Ctrl-C.",
  }).action((file: string | undefined, options: ReviewCommandOptions) =>
    runCommand((context) => showReview(context, file, options, toolVersion)),
  );
}

function collect(value: string, before: string[]): string[] {
  return [...before, value];
}

function gates(text: string, before: GateName[]): GateName[] {
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const wrong = names.find((name) => !gateNames.some((gate) => gate === name));
  if (wrong !== undefined)
    throw new InvalidArgumentError(`"${wrong}" is not one of ${gateNames.join(", ")}.`);
  return [...before, ...(names as GateName[])];
}

function wholeNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a non-negative integer.");
}
