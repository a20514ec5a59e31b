import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { realFolder } from "../../../provider/local-source/files";
import { sourceFiles } from "../../../provider/local-source/source-files";
import { fc } from "../../properties";
import { isLongRun } from "../../reliability/figures";
import { temporaryFolder } from "../../tools/temporary-folder";
import { isIgnoredByDocumentation } from "./documented-dockerignore";

const listOf = (start: string[], segments: string[], end: string[]) =>
  fc.array(
    fc
      .tuple(
        fc.constantFrom(...start),
        fc.array(fc.constantFrom(...segments), { minLength: 1, maxLength: 3 }),
        fc.constantFrom(...end),
      )
      .map(([before, all, after]) => `${before}${all.join("/")}${after}`),
    { minLength: 1, maxLength: 4 },
  );
const common = [
  "a",
  "b",
  "*",
  "**",
  "?",
  "a*",
  "*b",
  "[ab]",
  "é",
  "*.py",
  "build",
  "!a",
  "\\!a",
  "\\[",
  "\\*",
  "X.PY",
];
const onlyGit = [
  "**b",
  "a**",
  "[!a]",
  "[[:alpha:]]",
  "[]a]",
  "[",
  "a\\ b",
  "a b",
  "#a",
  "\\#a",
  "\\\\",
  "?.py",
];
const gitPatterns = listOf(["", "", "!", "/", "!/"], [...common, ...onlyGit], ["", "", "/", " ", "\r"]);
const dockerPatterns = listOf(["", "", "!", "/", "!/"], [...common, "[^a]"], ["", "", "/"]);
const names = [
  "a",
  "b",
  "ab",
  "é",
  "x.py",
  "X.PY",
  "build",
  "a b",
  "!a",
  "#a",
  "[",
  "*",
  "\\",
  "node_modules",
];
const path = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }).map((all) => all.join("/"));

test("sends exactly the files that git, Docker, and the fixed rules do not exclude", async () => {
  const folder = temporaryFolder();
  await fc.assert(
    fc.asyncProperty(
      gitPatterns,
      fc.array(fc.tuple(path, gitPatterns), { maxLength: 3 }),
      fc.option(dockerPatterns, { nil: [] }),
      fc.array(path, { minLength: 5, maxLength: 25 }),
      fc.array(fc.nat(24), { maxLength: 3 }),
      async (top, nested, docker, paths, trackedIndexes) => {
        for (const one of readdirSync(folder)) rmSync(join(folder, one), { recursive: true });
        git(folder, ["init", "--quiet", "--template="]);
        const files: [path: string, lines: string[]][] = [
          ...paths.map((one): [string, string[]] => [one, []]),
          [".gitignore", top],
          [".dockerignore", docker],
          ...nested.map(([at, lines]): [string, string[]] => [`${at}/.gitignore`, lines]),
        ];
        const written = files.filter((one) => isWritten(folder, ...one)).map(([file]) => file);
        const tracked = trackedIndexes.flatMap((index) => written.slice(index, index + 1));
        track(folder, tracked);
        const all = [...new Set(written)].filter((one) => !one.includes("node_modules/"));
        const ignored = ignoredByGit(folder, all);
        const sent = all.filter(
          (one) => (tracked.includes(one) || !ignored.has(one)) && !isIgnoredByDocumentation(docker, one),
        );
        const { files: found } = await sourceFiles([await realFolder(folder)]);
        const facts = { top, nested, docker, tracked };
        expect({ ...facts, sent: found.map((one) => one.path).sort() }).toEqual({
          ...facts,
          sent: sent.sort(),
        });
      },
    ),
    { numRuns: isLongRun ? 3_000 : 30 },
  );
}, 3_600_000);

function git(folder: string, words: string[], input?: string): void {
  execFileSync("git", ["-C", folder, ...words], { input });
}

function track(folder: string, paths: readonly string[]): void {
  const words = ["--literal-pathspecs", "add", "--force", "--pathspec-from-file=-", "--pathspec-file-nul"];
  if (paths.length > 0) git(folder, words, paths.join("\0"));
}

/**
 * Returns the untracked files that git ignores. The index is disabled, because git would otherwise treat the paths as
 * patterns.
 */
function ignoredByGit(folder: string, paths: readonly string[]): Set<string> {
  const words = ["check-ignore", "--no-index", "--stdin", "-z"];
  const { status, stdout, stderr } = spawnSync("git", ["-C", folder, ...words], { input: paths.join("\0") });
  // Git exits with 1 if nothing is ignored.
  if (status !== 0 && status !== 1) throw new Error(stderr.toString());
  return new Set(stdout.toString().split("\0"));
}

/** Writes a file. Returns false if the path is a folder, or if one of its parents is a file. */
function isWritten(folder: string, path: string, lines: readonly string[]): boolean {
  const file = join(folder, path);
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
    return true;
  } catch {
    return false;
  }
}
