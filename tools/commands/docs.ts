import { watch } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../command";
import { repositoryRoot, workFolder } from "../repository";
import { serveSite, writePages, writeSource } from "../site/site";

/**
 * Implements `npm run docs -- [arguments of VitePress]`: serves the documentation, and updates it when a document
 * changes.
 */
void runCommand(async ({ arguments: args, signal }) => {
  const source = join(workFolder, "site-source");
  writeSource(source);
  watch(join(repositoryRoot, "docs"), { signal, recursive: true }, () => writePages(source));
  return serveSite(source, args, signal);
});
