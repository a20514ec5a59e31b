import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/repository";

const document = readFileSync(join(repositoryRoot, "docs", "architecture.md"), "utf8");

/** Paths in code spans. Folders end with a slash, and files have an extension. */
const named = [...document.matchAll(/`([^`\s]+)`/g)].map(([, text]) => text!);
const folders = new Set(named.filter((text) => /^([\w.-]+\/)+$/.test(text)));
const files = named.filter((text) => /^([\w.-]+\/)+[\w.-]+\.\w+$/.test(text));

/** Folders with generated or installed files. */
const notSources = new Set(["dist", "node_modules"]);

function foldersIn(top: string): string[] {
  return readdirSync(join(repositoryRoot, top), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !notSources.has(entry.name))
    .map(({ name }) => `${top}/${name}/`);
}

function isThere(path: string, kind: "isDirectory" | "isFile"): boolean {
  return statSync(join(repositoryRoot, path), { throwIfNoEntry: false })?.[kind]() ?? false;
}

test.each(["wire", "provider", "sdk", "cli", "emulator", "policies"])(
  "describes every folder of %s",
  (top) => {
    const unnamed = [`${top}/`, ...foldersIn(top)].filter((folder) => !folders.has(folder));
    expect(unnamed).toEqual([]);
  },
);

test("refers only to existing folders and files", () => {
  expect([...folders].filter((folder) => !isThere(folder, "isDirectory"))).toEqual([]);
  expect(files.filter((file) => !isThere(file, "isFile"))).toEqual([]);
  expect(folders.size).toBeGreaterThan(20);
});
