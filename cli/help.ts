import type { Command } from "commander";

/** Text below the options in the help of a command. */
interface HelpText {
  /** Command lines, at least two. */
  examples: readonly [string, string, ...string[]];
  /** Paragraphs about the command's behavior. */
  notes?: string;
  /** Exit codes and their meanings. */
  exitCodes?: string;
}

/** Adds examples, notes, and exit codes to the help of a command. */
export function withHelp(command: Command, { examples, notes, exitCodes }: HelpText): Command {
  const paragraphs = [
    `Examples:\n${examples.map((line) => `  ${line}`).join("\n")}`,
    ...(notes === undefined ? [] : [notes]),
    ...(exitCodes === undefined ? [] : [`Exit codes: ${exitCodes}`]),
  ];
  return command.addHelpText("after", `\n${paragraphs.join("\n\n")}`);
}
