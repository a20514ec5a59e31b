import { join } from "node:path";
import { runCommand } from "../command";
import { run } from "../process";
import { repositoryRoot } from "../repository";

/** `npm run bench`: loads the local control plane and prints figures. */
void runCommand(async ({ signal }) => {
  const given = ["--import", "tsx", join(repositoryRoot, "bench", "control-plane-load", "main.ts")];
  return (await run(process.execPath, given, { cwd: repositoryRoot, signal, show: true })).code ?? 1;
});
