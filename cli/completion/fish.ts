import type { CommandDescription, ProgramDescription, Values } from "./command-tree";

/** Creates the completion script for fish. */
export function fishScript(program: ProgramDescription): string {
  const { name, commands } = program;
  const start = `complete -c ${name}`;
  return [
    `# Completion of ${name} for fish.`,
    `${start} -f`,
    ...optionLines(`${start} -n __fish_use_subcommand`, program),
    ...commands.map(
      (command) => `${start} -n __fish_use_subcommand -a ${command.name} -d ${quoted(command.description)}`,
    ),
    ...commands.flatMap((command) => {
      const prefix = `${start} -n '__fish_seen_subcommand_from ${command.name}'`;
      return [
        ...optionLines(prefix, command),
        ...command.arguments.flatMap((values) => {
          const completed = completion(values);
          return completed === "" ? [] : [`${prefix}${completed}`];
        }),
      ];
    }),
    "",
  ].join("\n");
}

function optionLines(prefix: string, { options }: CommandDescription): string[] {
  return options.map(({ names, description, value }) => {
    const flags = names.map((name) =>
      name.startsWith("--") ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`,
    );
    const required = value && !value.isOptional;
    const values = required ? ` ${"kind" in value && value.kind === "file" ? "-r" : "-x"}` : "";
    return `${prefix}${flags.join("")}${values}${value ? completion(value) : ""} -d ${quoted(description)}`;
  });
}

/** Returns the fish options that complete the values. */
function completion(values: Values): string {
  if ("choices" in values) return ` -a ${quoted(values.choices.join(" "))}`;
  return { file: " -F", folder: " -a '(__fish_complete_directories)'", other: "" }[values.kind];
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
