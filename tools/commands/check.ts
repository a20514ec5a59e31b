import { constants, setPriority } from "node:os";
import { checks } from "../check/checks";
import { runChecks } from "../check/run-checks";
import { runCommand } from "../command";
import { repositoryRoot } from "../repository";

/**
 * `npm run check`: types, rules, dead code and format of everything. With `--beside-tests` the checks take only the time
 * that other processes leave.
 */
void runCommand(async ({ arguments: words, signal, progress }) => {
  if (words.includes("--beside-tests")) setPriority(constants.priority.PRIORITY_LOW);
  const print = (text: string) => console.log(text);
  const failed = await runChecks(checks, { cwd: repositoryRoot, signal, progress, print });
  return failed === 0 ? 0 : 1;
});
