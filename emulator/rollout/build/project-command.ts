import { notStarted, runSupervised } from "../../process/supervised-command";
import { buildEnvironment } from "./environment";
import type { RolloutJournal } from "./journal";

/** Number of lines of a command's output that its error quotes. */
const quotedLines = 4;

/** A command in the deployment's settings. */
export interface ProjectCommand {
  /** Name of the setting. */
  field: "install_command" | "build_command";
  /** Command line for the shell. */
  command: string;
  folder: string;
  /** Path of the folder, for display. */
  shownFolder: string;
  /** Owner by which its processes are found when this one is gone, see `scopeOwner`. */
  owner: string;
  /** Variables that override those of builds. */
  environment: Record<string, string>;
}

/** Runs a command of the deployment's settings; its output goes to the build log. */
export async function runProjectCommand(
  { field, command, folder, shownFolder, owner, environment }: ProjectCommand,
  journal: RolloutJournal,
  signal: AbortSignal,
): Promise<void> {
  journal.log("build", "INFO", `Running source_config.${field} in ${shownFolder}: ${command}`);
  const last: string[] = [];
  const code = await runSupervised({
    command: "sh",
    args: ["-c", command],
    folder,
    environment: { ...buildEnvironment(), ...environment },
    owner,
    signal,
    line(line) {
      if (line.trim() === "") return;
      journal.log("build", "INFO", line);
      if (last.push(line.trim()) > quotedLines) last.shift();
    },
  });
  if (code === 0) return;
  const unknown = code === notStarted && last.length === 0 ? "sh is not on PATH" : "it gave no reason";
  throw new Error(
    `source_config.${field} ended with exit code ${code}: ${last.join("; ") || unknown}. See the build log.`,
  );
}
