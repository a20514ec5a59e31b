import { runCommand } from "../command";
import { run } from "../process";
import { compiler, repositoryRoot } from "../repository";

/** `npm run typecheck`: types alone. */
void runCommand(async ({ arguments: words, signal }) => {
  const given = [compiler, "--noEmit", "-p", "tsconfig.json", ...words];
  return (await run(process.execPath, given, { cwd: repositoryRoot, signal, show: true })).code ?? 1;
});
