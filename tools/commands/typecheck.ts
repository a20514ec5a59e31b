import { runCommand } from "../command";
import { run } from "../process";
import { compiler, repositoryRoot } from "../repository";

/** Implements `npm run typecheck`: checks the types of all sources. */
void runCommand(async ({ arguments: args, signal }) => {
  for (const config of ["tsconfig.json", "emulator/page/client/tsconfig.json"]) {
    const nodeArguments = [compiler, "--noEmit", "-p", config, ...args];
    const { code } = await run(process.execPath, nodeArguments, { cwd: repositoryRoot, signal, show: true });
    if (code !== 0) return code ?? 1;
  }
  return 0;
});
