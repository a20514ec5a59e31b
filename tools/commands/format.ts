import { join } from "node:path";
import { runCommand } from "../command";
import { run } from "../process";
import { repositoryRoot } from "../repository";

/** `npm run format`: formats everything, or the files that are named. */
void runCommand(async ({ arguments: words, signal }) => {
  const prettier = join(repositoryRoot, "node_modules", "prettier", "bin", "prettier.cjs");
  const given = [prettier, "--write", ...(words.length > 0 ? words : ["."])];
  return (await run(process.execPath, given, { cwd: repositoryRoot, signal, show: true })).code ?? 1;
});
