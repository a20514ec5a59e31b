import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { runCommand } from "../command";
import { createRelease } from "../release/release";

/**
 * Implements `npm run release-files -- --tag v1.2.3 --repository https://github.com/owner/name --output folder`:
 * creates the files of a release.
 */
void runCommand(async ({ arguments: args, signal, progress }) => {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ args, options: { tag: text, repository: text, output: text } });
  const { tag, repository, output } = values;
  if (!tag || !repository || !output)
    throw new Error(
      "release-files requires --tag, --repository, and --output. CONTRIBUTING.md describes releases.",
    );
  await createRelease({ tag, repository, output: resolve(output), signal, progress });
  return 0;
});
