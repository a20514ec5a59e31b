import { watch } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../command";
import { repositoryRoot, workFolder } from "../repository";
import { serveSite, writePages, writeSource } from "../site/site";

/** Time during which an editor may replace a file, in milliseconds. */
const settleMs = 100;

/** Implements `npm run docs -- [arguments of VitePress]`: serves the site, and updates it when a document changes. */
void runCommand(async ({ arguments: args, signal, progress }) => {
  const source = join(workFolder, "site-source");
  writeSource(source);
  const update = () => {
    try {
      writePages(source);
    } catch (error) {
      progress.writeLine(`The site was not updated: ${(error as Error).message}`);
    }
  };
  let timer: NodeJS.Timeout | undefined;
  watch(join(repositoryRoot, "docs"), { signal, recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(update, settleMs);
  });
  return serveSite(source, args, signal);
});
