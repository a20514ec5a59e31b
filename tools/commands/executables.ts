import { join, resolve } from "node:path";
import { runCommand } from "../command";
import { writeArchives } from "../executables/archives";
import { checksumsFile, writeChecksums } from "../release/checksums";
import { workFolder } from "../repository";

/** Implements `npm run executables -- [folder]`: creates the archives of the provider plugin for all platforms. */
void runCommand(async ({ arguments: [target], signal, progress }) => {
  const folder = target === undefined ? join(workFolder, "executables") : resolve(target);
  const names = await writeArchives(folder, { env: process.env, signal, progress });
  writeChecksums(folder, names);
  for (const name of [...names, checksumsFile]) console.log(`Wrote ${join(folder, name)}`);
});
