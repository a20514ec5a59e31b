import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Artifact } from "../artifacts";

/**
 * Compares the contents of the archives to the lists in a folder, one per archive.
 * @returns the differences, in a format like that of `diff`
 */
export function fileListFaults(artifacts: readonly Artifact[], lists: string): string[] {
  return artifacts.flatMap(({ file, name, contents }) => {
    const list = join(lists, `${name}.txt`);
    if (!existsSync(list))
      return [`${file}: ${list} is missing. Create it with \`npm run release:dry -- --update-lists\`.`];
    const expected = readFileSync(list, "utf8").split("\n").filter(Boolean);
    const found = listed(contents.map(({ path }) => path));
    const differences = [
      ...expected.filter((line) => !found.includes(line)).map((line) => `  - ${line}`),
      ...found.filter((line) => !expected.includes(line)).map((line) => `  + ${line}`),
    ];
    if (differences.length === 0) return [];
    const fix = "If the change is intended, run `npm run release:dry -- --update-lists` and commit the list.";
    return [[`${file}: the contents differ from ${list}. ${fix}`, ...differences].join("\n")];
  });
}

/** Writes the lists that `fileListFaults` compares the archives to. */
export function writeFileLists(artifacts: readonly Artifact[], lists: string): void {
  mkdirSync(lists, { recursive: true });
  for (const { name, contents } of artifacts)
    writeFileSync(
      join(lists, `${name}.txt`),
      listed(contents.map(({ path }) => path))
        .map((line) => `${line}\n`)
        .join(""),
    );
}

/** Matches the hash of the content in the name of a bundled file. */
const contentHash = /-[0-9A-Z]{8}(?=\.js$)/;

/**
 * Returns the lines of a list: the paths without hashes of contents, with a single line for a compiled file and its
 * declarations.
 */
function listed(contents: readonly string[]): string[] {
  const all = new Set(contents.map((path) => path.replace(contentHash, "-{hash}")));
  const paths = [...all];
  const lines = paths.flatMap((path) => {
    if (path.endsWith(".d.ts") && all.has(path.replace(/\.d\.ts$/, ".js"))) return [];
    return path.endsWith(".js") && all.has(path.replace(/\.js$/, ".d.ts"))
      ? path.replace(/\.js$/, ".{js,d.ts}")
      : path;
  });
  return lines.sort();
}
