import { delimiter } from "node:path";
import { shellWord } from "../../provider/text/shell-word";

/** Settings of a shell in which the user runs commands. */
export interface ShellSettings {
  /** Folders to add to the start of the PATH. */
  folders: string[];
  variables: Record<string, string>;
  /** Variables of the user that would take precedence over these settings. */
  removed: string[];
}

/** Returns the lines of a script that sets up a shell. */
export function shellLines({ folders, variables, removed }: ShellSettings): string[] {
  return [
    `export PATH=${folders.map(shellWord).join(delimiter)}${delimiter}"$PATH"`,
    `unset ${removed.join(" ")}`,
    ...Object.entries(variables).map(([name, value]) => `export ${name}=${shellWord(value)}`),
  ];
}
