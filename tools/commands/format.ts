import { join } from "node:path";
import { runCommand } from "../command";
import { run } from "../process";
import { repositoryRoot } from "../repository";

/** Implements `npm run format`: formats all files, or the specified ones. */
void runCommand(async ({ arguments: files, signal }) => {
  const prettier = join(repositoryRoot, "node_modules", "prettier", "bin", "prettier.cjs");
  const nodeArguments = [prettier, "--write", ...(files.length > 0 ? files : ["."])];
  return (await run(process.execPath, nodeArguments, { cwd: repositoryRoot, signal, show: true })).code ?? 1;
});
