import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { runCommand } from "../command";
import { workFolder } from "../repository";
import { buildSite } from "../site/site";

/** Implements `npm run docs:build -- [--base PATH] [folder]`: builds the documentation site. */
void runCommand(async ({ arguments: args, signal, progress }) => {
  const { values, positionals } = parseArgs({
    args,
    options: { base: { type: "string" } },
    allowPositionals: true,
  });
  const folder = positionals[0] === undefined ? join(workFolder, "site") : resolve(positionals[0]);
  await progress.step("building the site", () => buildSite(folder, { ...values, signal }));
  console.log(`Wrote ${folder}`);
});
