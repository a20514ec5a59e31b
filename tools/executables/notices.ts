import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const licenseFile = /^(licen[cs]e|copying|notice)(\.|-|$)/i;

/** Returns the licenses of the packages in these folders, and the license of Node.js, as one string. */
export function thirdPartyNotices(folders: readonly string[], nodeLicense: string): string {
  const notices = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      name: string;
      version: string;
      license?: string;
    };
    const texts = licenseTexts(folder);
    if (texts.length === 0) throw new Error(`The license of ${name} was not found in its package.`);
    return [`${name} ${version}: ${license ?? "see below"}`, ...texts].join("\n\n");
  });
  return `${[...notices, `Node.js\n\n${nodeLicense.trim()}`].join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/** Returns the texts of the license files, or the section of the README that contains the license. */
function licenseTexts(folder: string): string[] {
  const read = (file: string) => readFileSync(join(folder, file), "utf8").trim();
  const names = readdirSync(folder).sort();
  const files = names.filter((file) => licenseFile.test(file));
  if (files.length > 0) return files.map(read);
  return names
    .filter((file) => /^readme\.md$/i.test(file))
    .flatMap((file) => /^(#+ )?licen[cs]e\n[^]*$/im.exec(read(file))?.[0] ?? []);
}
