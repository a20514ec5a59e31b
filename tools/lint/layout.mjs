// Checks the layout of the source tree: `node tools/lint/layout.mjs`.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";

/** Maximum number of files in a folder, not counting tests. */
const maxFiles = 15;

/** Maximum folder depth within a package. */
const maxDepth = 4;

/**
 * Maximum number of fragments. A fragment is a module that has at most 60 lines and no test, and that only one module
 * in the same folder imports. An index does not count as the importer, because other modules use the fragment through
 * it.
 */
const maxFragments = 60;
const fragmentLines = 60;

/** Folders that may contain more files, because the files are all of one kind or are read together. */
const largeFolders = new Map([
  [".", "tools look for their configuration here"],
  ["docs", "one document per subject"],
  ["docs/figures", "one file of figures per suite"],
  ["examples/guides", "one program per guide and language"],
  ["emulator/control-plane/store", "one module per table"],
  ["policies/rules", "one policy per file"],
  ["sdk/functions", "one lookup per file"],
  ["sdk/manifests", "the steps of reading a manifest"],
  ["tests/e2e", "shared setup next to the tests"],
  ["tests/reliability/fuzz", "generators of requests next to their properties"],
  ["tools/schemas/examples", "one example per resource and function"],
  ["tools/commands", "one npm script per file"],
]);

const recorded = /(^|\/)(fixtures|facts|cases)\//;
const files = execFileSync("git", ["ls-files"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => existsSync(file) && !recorded.test(file));
const sources = files.filter((file) => /\.[mc]?[jt]s$/.test(file) && !/\.d\.[mc]?ts$/.test(file));
const isTest = (file) => file.startsWith("tests/");

const findings = [...largeFoldersIn(), ...deepFoldersIn(), ...fragmentsIn()];
if (findings.length > 0) {
  console.log(findings.join("\n"));
  process.exitCode = 1;
}

function largeFoldersIn() {
  const counts = new Map();
  for (const file of files.filter((one) => !one.endsWith(".test.ts")))
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts]
    .filter(([folder, count]) => count > maxFiles && !largeFolders.has(folder))
    .map(([folder, count]) => `${folder} contains ${count} files; at most ${maxFiles} are allowed.`);
}

function deepFoldersIn() {
  const folders = new Set(files.map(dirname));
  return [...folders]
    .filter((folder) => folder.split("/").length - (isTest(folder) ? 2 : 1) > maxDepth)
    .map(
      (folder) => `${folder} is nested too deeply; at most ${maxDepth} levels inside a package are allowed.`,
    );
}

function fragmentsIn() {
  const importers = importersOf(sources);
  const fragments = sources.filter((file) => {
    const [importer, ...others] = importers.get(file) ?? [];
    return (
      !isTest(file) &&
      importer !== undefined &&
      others.length === 0 &&
      dirname(importer) === dirname(file) &&
      !basename(importer).startsWith("index.") &&
      !files.includes(`tests/${file.replace(/\.[mc]?[jt]s$/, ".test.ts")}`) &&
      readFileSync(file, "utf8").split("\n").length - 1 <= fragmentLines
    );
  });
  if (fragments.length <= maxFragments) return [];
  return [
    `${fragments.length} modules are fragments; at most ${maxFragments} are allowed. Merge some with their importers:`,
    ...fragments.map((file) => `  ${file}`),
  ];
}

/** Returns, for each module, the modules that import it. */
function importersOf(modules) {
  const known = new Set(modules);
  const importers = new Map();
  for (const file of modules)
    for (const [, path] of readFileSync(file, "utf8").matchAll(
      /(?:from|import|require\()\s*\(?["'](\.{1,2}\/[^"']*)["']/g,
    )) {
      const target = normalize(join(dirname(file), path));
      const found = [target, `${target}.ts`, `${target}/index.ts`].find((one) => known.has(one));
      if (found) importers.set(found, (importers.get(found) ?? new Set()).add(file));
    }
  return importers;
}
