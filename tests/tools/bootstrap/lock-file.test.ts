import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../../tools/repository";

/** Relevant fields of a package.json and of the corresponding entry of package-lock.json. */
interface Manifest {
  version?: string;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

interface Entry extends Manifest {
  resolved?: string;
  integrity?: string;
  link?: boolean;
  inBundle?: boolean;
}

const sections = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] as const;

const { packages } = readJson("package-lock.json") as { packages: Record<string, Entry> };
const folders = ["", ...(readJson("package.json") as Manifest).workspaces!];

test("contains every dependency of every locked package on all platforms", () => {
  const missing = Object.entries(packages).flatMap(([path, entry]) =>
    requiredBy(entry)
      .filter(([name]) => locked(path, name) === undefined)
      .map(([name, range]) => `${path || "the project"} → ${name}@${range}`),
  );

  expect(missing).toEqual([]);
});

test("locks each dependency that has an exact version to that version", () => {
  const wrong = Object.entries(packages).flatMap(([path, entry]) =>
    requiredBy(entry)
      .filter(([, range]) => /^\d+\.\d+\.\d+$/.test(range))
      .map(([name, version]) => ({ from: path, name, version, locked: locked(path, name)?.version }))
      .filter(({ version, locked }) => version !== locked),
  );

  expect(wrong).toEqual([]);
});

test.each(folders)("matches the dependencies in package.json in the folder %p", (folder) => {
  const manifest = readJson(join(folder, "package.json")) as Manifest;

  for (const section of sections) {
    expect({ [section]: packages[folder]![section] ?? {} }).toEqual({ [section]: manifest[section] ?? {} });
  }
});

test("contains a hash of every package, and no URL", () => {
  for (const [path, { resolved, integrity, link, inBundle }] of Object.entries(packages)) {
    if (!path.includes("node_modules/")) continue;
    if (link) expect(folders).toContain(resolved);
    else
      expect({ path, resolved, hashed: inBundle || integrity !== undefined }).toEqual({ path, hashed: true });
  }
});

/** Returns the dependencies that must be installed with a package. npm also installs peers unless they are optional. */
function requiredBy(entry: Entry): [name: string, range: string][] {
  return sections.flatMap((section) =>
    Object.entries(entry[section] ?? {}).filter(
      ([name]) => section !== "peerDependencies" || !entry.peerDependenciesMeta?.[name]?.optional,
    ),
  );
}

/**
 * Returns the entry that Node.js resolves from a folder: in the folder's own node_modules or in those of its parent
 * folders.
 */
function locked(folder: string, name: string): Entry | undefined {
  for (let at = folder; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
    const entry = packages[`${at && `${at}/`}node_modules/${name}`];
    if (entry || at === "") return entry?.link ? packages[entry.resolved!] : entry;
  }
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(join(repositoryRoot, file), "utf8"));
}
