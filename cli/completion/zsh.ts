import type { CommandDescription, OptionDescription, ProgramDescription, Values } from "./command-tree";

/** Creates the completion script for zsh. It can be sourced, or saved as `_agentserver` in a folder of `fpath`. */
export function zshScript(program: ProgramDescription): string {
  const { name, options, commands } = program;
  return `#compdef ${name}
# Completion of ${name} for zsh.
_${name}() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands
  commands=(
${commands.map((one) => `    ${quoted(`${one.name.replaceAll(":", "\\:")}:${one.description}`)}`).join("\n")}
  )
  _arguments -C ${[...options.map(optionSpec), "'1:command:->command'", "'*::argument:->argument'"].join(" \\\n    ")}
  case $state in
    command) _describe command commands ;;
    argument)
      case $words[1] in
${commands.map(commandCase).join("\n")}
      esac
      ;;
  esac
}
if [[ $funcstack[1] == _${name} ]]; then
  _${name} "$@"
else
  compdef _${name} ${name}
fi
`;
}

function commandCase({ name, options, arguments: positions }: CommandDescription): string {
  const specs = [
    ...options.map(optionSpec),
    ...positions.map((values, at) => quoted(`${at + 1}:${escaped(values.name)}:${action(values)}`)),
  ];
  return `        ${name}) _arguments ${specs.join(" \\\n          ")} ;;`;
}

function optionSpec({ names, description, value }: OptionDescription): string {
  const separator = value?.isOptional ? "::" : ":";
  const suffix = `[${escaped(description)}]${value ? `${separator}${escaped(value.name)}:${action(value)}` : ""}`;
  // A long option also accepts --option=value.
  const forms = names.map((name) => (value && name.startsWith("--") ? `${name}=` : name));
  if (forms.length === 1) return quoted(`${forms[0]}${suffix}`);
  return `${quoted(`(${names.join(" ")})`)}{${forms.join(",")}}${quoted(suffix)}`;
}

function action(values: Values): string {
  if ("choices" in values) return `(${values.choices.join(" ")})`;
  return { file: "_files", folder: "_files -/", other: " " }[values.kind];
}

/** Escapes the characters that have a special meaning in an argument of `_arguments`. */
function escaped(text: string): string {
  return text.replace(/[\\[\]:]/g, "\\$&");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
