import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt } from "../build/ensure-built";
import { runCommand } from "../command";
import { writeArchives } from "../executables/archives";
import { createReleaseFiles } from "../release/release-files";
import { writeSdks } from "../release/sdk-files";
import { repositoryRoot } from "../repository";

/** `npm run release-files -- --tag v1.2.3 --repository https://github.com/owner/name --output folder` */
void runCommand(async ({ arguments: args, signal, progress }) => {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ args, options: { tag: text, repository: text, output: text } });
  const { tag, repository, output } = values;
  if (!tag || !repository || !output)
    throw new Error(
      "release-files requires --tag, --repository and --output; CONTRIBUTING.md describes releases.",
    );
  await ensureBuilt({ signal, progress });
  await createReleaseFiles({
    root: repositoryRoot,
    tag,
    repository,
    output: resolve(output),
    writeSdks: (folder) => writeSdks(folder, { env: process.env, signal, progress }),
    writeArchives: (folder) => writeArchives(folder, { env: process.env, signal, progress }),
    signal,
  });
  return 0;
});
