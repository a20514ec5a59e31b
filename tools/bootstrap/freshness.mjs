import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const dependencySections = [
  "workspaces",
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
  "overrides",
  "allowScripts",
];

/** Returns the path of the file that records the dependencies of the last complete installation. */
export const stampFile = (root) => join(root, "node_modules", ".agentserver-install");

/** Returns the path of the Node.js version that runs everything except for the bootstrap. */
export const projectNode = (root) => join(root, "node_modules", "node", "bin", "node");

/** True if node_modules matches package.json and the lock file. */
export function isFresh(root) {
  return read(stampFile(root)) === fingerprint(root) && hasWorkspaceModules(root);
}

/** True if the workspaces' own node_modules folders exist. They are easily deleted by accident. */
function hasWorkspaceModules(root) {
  const locked = readJson(join(root, "package-lock.json"))?.packages ?? {};
  return Object.entries(locked).every(
    ([path, entry]) =>
      entry.optional ||
      path.startsWith("node_modules/") ||
      !/^[^/]+\/node_modules\//.test(path) ||
      existsSync(join(root, path)),
  );
}

/** Records that all current dependencies have been installed. */
export function writeStamp(root) {
  writeFileSync(stampFile(root), fingerprint(root));
}

/**
 * True if npm itself has completed an installation of exactly this lock file, for example with `npm ci`. npm writes the
 * list of installed packages last.
 */
export function isInstalledAsLocked(root) {
  const locked = readJson(join(root, "package-lock.json"))?.packages;
  const installed = readJson(join(root, "node_modules", ".package-lock.json"))?.packages;
  if (!locked || !installed || !existsSync(projectNode(root))) return false;
  return (
    locksDeclaredDependencies(root, locked) &&
    Object.entries(locked).every(
      ([path, entry]) =>
        !path.includes("node_modules/") ||
        entry.optional ||
        (installed[path] !== undefined &&
          installed[path].version === entry.version &&
          installed[path].integrity === entry.integrity),
    )
  );
}

/** True if the lock file matches the dependencies in every package.json. */
function locksDeclaredDependencies(root, locked) {
  return Object.entries(locked)
    .filter(([path]) => !path.includes("node_modules"))
    .every(([path, entry]) => {
      const declared = readJson(join(root, path, "package.json")) ?? {};
      return ["dependencies", "devDependencies", "optionalDependencies"].every(
        (section) => canonical(declared[section] ?? {}) === canonical(entry[section] ?? {}),
      );
    });
}

function fingerprint(root) {
  const hash = createHash("sha256");
  const manifest = readJson(join(root, "package.json")) ?? {};
  hash.update(`${process.platform} ${process.arch}\n`);
  for (const section of dependencySections) hash.update(`${section} ${JSON.stringify(manifest[section])}\n`);
  hash.update(read(join(root, "package-lock.json")) ?? "");
  for (const workspace of manifest.workspaces ?? []) {
    hash.update(`${workspace}\n${read(join(root, workspace, "package.json")) ?? ""}\n`);
  }
  return hash.digest("hex");
}

function canonical(section) {
  return JSON.stringify(Object.entries(section).sort(([left], [right]) => (left < right ? -1 : 1)));
}

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  }
}

function readJson(path) {
  const text = read(path);
  return text === undefined ? undefined : JSON.parse(text);
}
