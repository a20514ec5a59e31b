import { constants, setPriority } from "node:os";
import { checks } from "../check/checks";
import { runChecks } from "../check/run-checks";
import { runCommand } from "../command";
import { repositoryRoot } from "../repository";

/**
 * Implements `npm run check`: checks types, import rules, dead code, format, documents, spelling, and lint rules. With
 * `--low-priority`, the checks run at low priority.
 */
void runCommand(async ({ arguments: args, signal, progress }) => {
  if (args.includes("--low-priority")) setPriority(constants.priority.PRIORITY_LOW);
  const print = (text: string) => console.log(text);
  const failed = await runChecks(checks, { cwd: repositoryRoot, signal, progress, print });
  return failed === 0 ? 0 : 1;
});
