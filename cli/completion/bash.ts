import type { CommandDescription, ProgramDescription, Values } from "./command-tree";

/** Creates the completion script for bash 3.2 or later. */
export function bashScript(program: ProgramDescription): string {
  const commands = [{ ...program, name: "" }, ...program.commands];
  return `# Completion of ${program.name} for bash.
_${program.name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  local command="" position=0 index=1 word options valued key words="" kind="" IFS=$' \\t\\n'
  COMPREPLY=()

  # Bash splits --option=value into three words.
  if [[ $current == "=" ]]; then
    current=""
  elif [[ $previous == "=" ]]; then
    previous="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi

  if [[ $COMP_CWORD -gt 1 && \${COMP_WORDS[1]} != -* ]]; then
    command="\${COMP_WORDS[1]}"
    index=2
  fi
  case "$command" in
${commands.map(optionsCase).join("\n")}
    *) return ;;
  esac

  # Counts the arguments before the current word.
  while [[ $index -lt $COMP_CWORD ]]; do
    word="\${COMP_WORDS[index]}"
    if [[ $valued == *" $word "* ]]; then
      [[ \${COMP_WORDS[index + 1]} == "=" ]] && index=$((index + 1))
      index=$((index + 1))
    elif [[ $word != -* ]]; then
      position=$((position + 1))
    fi
    index=$((index + 1))
  done

  if [[ $valued == *" $previous "* ]]; then
    key="$command $previous"
  elif [[ $current == -* ]]; then
    key=""
    words="$options"
  else
    key="$command $position"
  fi
  case "$key" in
${commands.flatMap(valueCases).join("\n")}
  esac

  IFS=$'\\n'
  case "$kind" in
    file) COMPREPLY=($(compgen -f -- "$current")) ;;
    folder) COMPREPLY=($(compgen -d -- "$current")) ;;
    *)
      IFS=$' \\t\\n'
      COMPREPLY=($(compgen -W "$words" -- "$current"))
      ;;
  esac
  if [[ -n $kind ]]; then compopt -o filenames 2>/dev/null; fi
}
complete -F _${program.name} ${program.name}
`;
}

function optionsCase({ name, options }: CommandDescription): string {
  const valued = options.filter(({ value }) => value && !value.isOptional).flatMap(({ names }) => names);
  const all = options.flatMap(({ names }) => names);
  return `    "${name}") options="${all.join(" ")}" valued=" ${valued.join(" ")} " ;;`;
}

function valueCases(command: CommandDescription): string[] {
  const { name, options, arguments: positions } = command;
  const first =
    "commands" in command
      ? { choices: (command as ProgramDescription).commands.map((one) => one.name) }
      : undefined;
  return [
    ...options.flatMap(({ names, value }) =>
      value && !value.isOptional ? names.flatMap((option) => valueCase(`${name} ${option}`, value)) : [],
    ),
    ...[...(first ? [first] : []), ...positions].flatMap((values, position) =>
      valueCase(`${name} ${position}`, values),
    ),
  ];
}

function valueCase(key: string, values: Values): string[] {
  if ("choices" in values) return [`    "${key}") words="${values.choices.join(" ")}" ;;`];
  return values.kind === "other" ? [] : [`    "${key}") kind="${values.kind}" ;;`];
}
