import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runCommand } from "../command";
import { billOfMaterials } from "../release/bill-of-materials";
import { packagesOf } from "../release/packages";
import { repositoryRoot } from "../repository";

/** Implements `npm run sbom -- --output folder`: writes the SBOM of each package, independently of a release. */
void runCommand(async ({ arguments: args, signal }) => {
  const { output } = parseArgs({ args, options: { output: { type: "string" } } }).values;
  if (!output) throw new Error("sbom requires --output with a folder.");
  mkdirSync(output, { recursive: true });
  for (const one of packagesOf(repositoryRoot)) {
    const { name, version } = one.manifest;
    writeFileSync(
      join(output, `${name}-${version}.cdx.json`),
      await billOfMaterials(repositoryRoot, one, signal),
    );
  }
  return 0;
});
