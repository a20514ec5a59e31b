import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { version } from "../../package.json";
import { runCommand } from "../command";
import { rehearse } from "../release/rehearsal/rehearse";
import { createRelease } from "../release/release";
import { workFolder } from "../repository";
import { repository } from "../schemas/package-schema";

/**
 * Implements `npm run release:dry`: builds and checks the files of a release of the current state, installs them in
 * empty projects, and runs the quickstart with them. `--update-lists` writes the lists of the archives' contents and
 * ends before the installation; `--files` installs the files in a folder instead of building them.
 */
void runCommand(async ({ arguments: args, signal, progress }) => {
  const flag = { type: "boolean" } as const;
  const { values } = parseArgs({ args, options: { "update-lists": flag, files: { type: "string" } } });
  const output = join(workFolder, "release");
  const rehearsal = { version, signal, progress };
  if (values.files !== undefined) return rehearse({ ...rehearsal, files: resolve(values.files) });
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
  if (!values["update-lists"]) await rehearse({ ...rehearsal, files: join(output, "packages") });
});
