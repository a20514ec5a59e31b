import { Command, InvalidArgumentError, Option } from "commander";
import { runCommand } from "../command-process";
import { withConnectionFlags } from "../connection";
import { formatNames } from "../review/formats";
import { gateNames, type GateName } from "../review/gates";
import { showReview, type ReviewCommandOptions } from "../review/show-review";

/** `agentserver review`: what a preview means for the deployments of a stack, for a pull request. */
export function reviewCommand(toolVersion: string): Command {
  const command = new Command("review")
    .description(
      "report what a `pulumi preview` means for the deployments: what is rolled out, replaced or lost, and why",
    )
    .argument("[file]", "output of `pulumi preview --json`, or a JSON report; - for the standard input")
    .option("--cwd <folder>", "the Pulumi project, if it is not in this folder")
    .option("--policy-pack <folder>", "policies to check, with --stack; may be repeated", collected, [])
    .option(
      "--policy-pack-config <file>",
      "configuration of a policy pack, as for pulumi; once for each pack",
      collected,
      [],
    )
    .option("--refresh", "look for drift first, with --stack", false)
    .option("--offline", "ask neither control plane nor agent servers", false)
    .addOption(
      new Option("--fail-on <list>", `fail on these, with commas between: ${gateNames.join(", ")}`)
        .argParser(gates)
        .default([], "none"),
    )
    .option("--max-rollouts <number>", "fail if more deployments roll out", wholeNumber)
    .option(
      "--approve-replace <name>",
      "resource that may be replaced: a deployment's name, KIND:NAME or a URN; may be repeated",
      collected,
      [],
    )
    .addOption(
      new Option("--format <name>", "terminal at a terminal, else markdown").choices([...formatNames]),
    )
    .option("--output <file>", "write the report there");
  return withConnectionFlags(command)
    .addHelpText(
      "after",
      `
With a file, that is reviewed; a report that was written with --format json is only put into another format, and its
verdict stands. Without one, \`pulumi preview\` of --stack is run; only so are policies reported,
because the output of \`pulumi preview --json\` leaves them out.

Exit codes: 0 passed; 1 an error; 2 a gate (--fail-on, --max-rollouts) is closed; 3 the preview failed; 130 Ctrl-C.`,
    )
    .action((file: string | undefined, options: ReviewCommandOptions) =>
      runCommand((surroundings) => showReview(surroundings, file, options, toolVersion)),
    );
}

function collected(value: string, before: string[]): string[] {
  return [...before, value];
}

function gates(text: string, before: GateName[]): GateName[] {
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const wrong = names.find((name) => !gateNames.some((gate) => gate === name));
  if (wrong !== undefined) throw new InvalidArgumentError(`"${wrong}" is none of ${gateNames.join(", ")}.`);
  return [...before, ...(names as GateName[])];
}

function wholeNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
}
