// Checks packed packages with publint and arethetypeswrong:
// `node tools/release/checks/check-packages.mjs file.tgz ...`. Runs in a separate process, because the tests cannot load
// these two ES modules.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const [, , ...tarballs] = process.argv;
for (const file of tarballs) {
  const content = new Uint8Array(readFileSync(file));
  const faults = [...(await publintFaults(content)), ...(await typeFaults(content))];
  for (const fault of faults) console.log(`${basename(file)}: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}

async function publintFaults(content) {
  // Suggestions are omitted, because they ask for a module type, which the extension of every file already specifies.
  const { messages, pkg } = await publint({ pack: { tarball: content.buffer }, level: "warning" });
  return messages.map((message) => `${formatMessage(message, pkg, { color: false })} (publint)`);
}

async function typeFaults(content) {
  const { problems = [] } = await checkPackage(createPackageFromTarballData(content));
  return (
    problems
      // The module resolution of Node.js 10 does not support "exports", and the packages require Node.js 22.
      .filter(({ resolutionKind }) => resolutionKind !== "node10")
      .map(({ kind, ...where }) => `${kind} ${JSON.stringify(where)} (arethetypeswrong)`)
  );
}
