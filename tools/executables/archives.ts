import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "tar";
import { version } from "../../package.json";
import type { Progress } from "../progress";
import { repositoryRoot } from "../repository";
import { bundlePlugin } from "./bundle";
import { executableName, writeExecutable } from "./executable";
import { ensureNode, type NodeOptions } from "./node-binary";
import { thirdPartyNotices } from "./notices";
import { type Platform, platforms, thisPlatform, withExtension } from "./platforms";

/** Modification time of all files in the archives, so that the same sources always result in the same archives. */
const mtime = new Date("2000-01-01T00:00:00Z");

/** Returns the name under which the engine downloads the archive for a platform. */
export function archiveName({ os, arch }: Platform): string {
  return `${executableName}-v${version}-${os}-${arch}.tar.gz`;
}

/** Writes an archive with the files of a folder at its root. */
export async function writeArchive(file: string, folder: string): Promise<void> {
  await create({ file, cwd: folder, gzip: true, portable: true, mtime }, readdirSync(folder).sort());
}

/** Writes the archives of the provider plugin for all platforms into a folder, and returns their names. */
export async function writeArchives(
  output: string,
  { progress, ...options }: NodeOptions & { progress: Progress },
): Promise<string[]> {
  const bundle = await bundlePlugin();
  const { license } = await ensureNode(thisPlatform(), options);
  const notices = thirdPartyNotices(bundle.packages, readFileSync(license, "utf8"));
  mkdirSync(output, { recursive: true });
  const names: string[] = [];
  for (const platform of platforms) {
    const name = archiveName(platform);
    await progress.step(`creating ${name}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), "agentserver-archive-"));
      try {
        const executable = join(folder, withExtension(executableName, platform));
        await writeExecutable(executable, platform, bundle, options);
        copyFileSync(join(repositoryRoot, "LICENSE"), join(folder, "LICENSE"));
        writeFileSync(join(folder, "THIRD_PARTY_LICENSES"), notices);
        await writeArchive(join(output, name), folder);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
    names.push(name);
  }
  return names;
}
