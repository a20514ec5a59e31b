import { join } from "node:path";
import { runCommand } from "../command";
import { run } from "../process";
import { repositoryRoot } from "../repository";

const benches = ["control-plane-load", "fleet", "local-folder", "store-items", "agents"];

/** `npm run bench [-- name words]`: loads the local control plane, or measures stacks, folders or agents, and prints figures. */
void runCommand(async ({ signal, arguments: [name = benches[0]!, ...words] }) => {
  if (!benches.includes(name))
    throw new Error(`There is no benchmark ${name}; there are ${benches.join(", ")}.`);
  const given = ["--import", "tsx", join(repositoryRoot, "bench", name, "main.ts"), ...words];
  return (await run(process.execPath, given, { cwd: repositoryRoot, signal, show: true })).code ?? 1;
});
