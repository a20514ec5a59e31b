import type { Argument, Command, Option } from "commander";

/** Values of an option or argument that a shell can complete. */
export type Values = { choices: readonly string[] } | { kind: "file" | "folder" | "other" };

/** Option of a command, as listed in the command's help. */
export interface OptionDescription {
  /** Names with dashes, such as `-h` and `--help`. */
  names: readonly string[];
  description: string;
  /** Value of the option; undefined if the option takes no value. */
  value?: Values & { name: string; isOptional: boolean };
}

/** Command, with the options and arguments that can follow it. */
export interface CommandDescription {
  name: string;
  description: string;
  options: readonly OptionDescription[];
  /** Values of the arguments by position. */
  arguments: readonly (Values & { name: string })[];
}

/** Program and its commands. */
export interface ProgramDescription extends CommandDescription {
  commands: readonly CommandDescription[];
}

/** Describes the commands of a program, including `help`, except for options that the help hides. */
export function describeCommands(program: Command): ProgramDescription {
  const commands = program.createHelp().visibleCommands(program);
  const choices = commands.map((command) => command.name());
  return {
    ...describeCommand(program),
    commands: commands.map((command) =>
      command.name() === "help"
        ? { ...describeCommand(command), arguments: [{ name: "command", choices }] }
        : describeCommand(command),
    ),
  };
}

function describeCommand(command: Command): CommandDescription {
  return {
    name: command.name(),
    description: command.description(),
    options: command.createHelp().visibleOptions(command).map(describeOption),
    arguments: command.registeredArguments.map((argument) => ({
      name: argument.name(),
      ...valuesOf(argument, argument.name()),
    })),
  };
}

function describeOption(option: Option): OptionDescription {
  const { short, long, description, optional } = option;
  const names = [short, long].filter((name) => name !== undefined);
  const name = /[<[](\w+)/.exec(option.flags)?.[1];
  if (name === undefined) return { names, description };
  return { names, description, value: { name, isOptional: optional, ...valuesOf(option, name) } };
}

function valuesOf({ argChoices }: Argument | Option, name: string): Values {
  if (argChoices) return { choices: argChoices };
  return { kind: name === "file" || name === "folder" ? name : "other" };
}
