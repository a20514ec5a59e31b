import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Name of the file with the checksums. */
export const checksumsFile = "SHA256SUMS";

/** Writes the SHA-256 checksums of files in a folder, in the format of `sha256sum --check`. */
export function writeChecksums(folder: string, names: readonly string[]): void {
  const lines = names.toSorted().map((name) => `${sha256(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, checksumsFile), lines.join(""));
}

/** Returns the files of a folder that have no checksum or do not match it. */
export function checksumFaults(folder: string): string[] {
  const lines = readFileSync(join(folder, checksumsFile), "utf8").split("\n");
  return readdirSync(folder)
    .filter((name) => name !== checksumsFile)
    .filter((name) => !lines.includes(`${sha256(join(folder, name))}  ${name}`))
    .map((name) => `${name}: ${checksumsFile} does not contain its checksum. Create the release again.`);
}

function sha256(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
