import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { version } from "../../package.json";
import { runCommand } from "../command";
import { createRelease } from "../release/release";
import { workFolder } from "../repository";
import { repository } from "../schemas/package-schema";

/**
 * Implements `npm run release:dry`: builds and checks the files of a release of the current state. With
 * `--update-lists`, writes the lists of the archives' contents.
 */
void runCommand(async ({ arguments: args, signal, progress }) => {
  const { values } = parseArgs({ args, options: { "update-lists": { type: "boolean" } } });
  const output = join(workFolder, "release");
  rmSync(output, { recursive: true, force: true });
  await createRelease({
    tag: `v${version}`,
    repository,
    output,
    allowUndated: true,
    updateLists: values["update-lists"],
    signal,
    progress,
  });
  return 0;
});
