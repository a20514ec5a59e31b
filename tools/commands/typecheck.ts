import { runCommand } from "../command";
import { run } from "../process";
import { compiler, repositoryRoot } from "../repository";

/** Implements `npm run typecheck`. */
void runCommand(async ({ arguments: args, signal }) => {
  const nodeArguments = [compiler, "--noEmit", "-p", "tsconfig.json", ...args];
  return (await run(process.execPath, nodeArguments, { cwd: repositoryRoot, signal, show: true })).code ?? 1;
});
