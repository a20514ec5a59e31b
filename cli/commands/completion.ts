import { Argument, Command } from "commander";
import { runCommand } from "../command-process";
import { bashScript } from "../completion/bash";
import { describeCommands } from "../completion/command-tree";
import { fishScript } from "../completion/fish";
import { zshScript } from "../completion/zsh";
import { withHelp } from "../help";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Creates the `completion` command, which prints a script that completes the commands of a program in a shell. */
export function completionCommand(program: Command): Command {
  const command = new Command("completion")
    .description("print a script that completes commands, options, and their values in a shell")
    .addArgument(new Argument("<shell>", "shell that runs the script").choices(Object.keys(scripts)));
  return withHelp(command, {
    examples: [
      "agentserver completion bash >> ~/.bashrc",
      'agentserver completion zsh > "${fpath[1]}/_agentserver"',
      "agentserver completion fish > ~/.config/fish/completions/agentserver.fish",
    ],
    notes: "The script is self-contained: completion runs no commands and sends no requests.",
    exitCodes: "0 success; 1 an error; 130 Ctrl-C.",
  }).action((shell: keyof typeof scripts) =>
    runCommand(({ stdout }) => stdout.write(scripts[shell](describeCommands(program)))),
  );
}
