import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { rolloutJournal } from "../../../../../emulator/rollout/build/journal";
import { installDependencies } from "../../../../../emulator/rollout/runtimes/javascript/npm";
import { jobFor, Notes } from "../../rehearsal";
import { temporaryFolder } from "../../repository";

const env = process.env;
const versions = process.versions;

let programs: string;
let calls: string;
let files: Record<string, string>;
let notes: Notes;

/** Writes an `npm` command that records its calls, and that installs a package that contains a copy of package.json. */
function writeNpm({ fails = false, hiddenLock = '{ "packages": { "node_modules/dep": {} } }' } = {}): void {
  const file = join(programs, "npm");
  const lines = [
    "#!/bin/sh",
    `echo "$1" >> '${calls}'`,
    "mkdir -p node_modules/dep node_modules/.bin",
    "cp package.json node_modules/dep/manifest",
    ...(fails ? ["exit 7"] : []),
    "echo run > node_modules/dep/cli.js; chmod +x node_modules/dep/cli.js",
    "ln -sf ../dep/cli.js node_modules/.bin/dep",
    `echo '${hiddenLock}' > node_modules/.package-lock.json`,
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  chmodSync(file, 0o755);
}

beforeEach(() => {
  programs = temporaryFolder("programs");
  calls = join(programs, "calls");
  writeFileSync(calls, "");
  writeNpm();
  // npm sets such variables for the processes that it runs.
  const withoutNpm = Object.entries(env).filter(([name]) => !/^npm_config_/i.test(name));
  process.env = {
    ...Object.fromEntries(withoutNpm),
    HOME: temporaryFolder("home"),
    AGENTSERVER_CACHE: temporaryFolder("caches"),
    PATH: [programs, env["PATH"]].join(delimiter),
  };
  files = { "package.json": '{ "dependencies": { "dep": "1.0.0" } }', "package-lock.json": "{}" };
  notes = new Notes();
});
afterEach(() => {
  process.env = env;
  Object.defineProperty(process, "versions", { value: versions });
});

/** Installs a source with these files in a new folder, and returns the folder. */
async function install({ hasBuildCommand = false } = {}): Promise<string> {
  const root = temporaryFolder("source");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, name, ".."), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const journal = rolloutJournal(jobFor("none"), notes);
  const project = { root, folder: root, owner: "test", hasBuildCommand };
  await installDependencies(project, journal, new AbortController().signal);
  return root;
}

const installations = () => readFileSync(calls, "utf8").split("\n").length - 1;
const moduleFile = (root: string, ...path: string[]) => join(root, "node_modules", ...path);

test("copies the packages instead of running npm if the project is unchanged", async () => {
  await install();
  const root = await install();
  expect(installations()).toBe(1);
  expect(readFileSync(moduleFile(root, "dep", "manifest"), "utf8")).toBe(files["package.json"]);
  expect(readlinkSync(moduleFile(root, ".bin", "dep"))).toBe("../dep/cli.js");
  expect(readFileSync(moduleFile(root, ".bin", "dep"), "utf8")).toBe("run\n");
  expect(notes.text).toContain(
    `build INFO The same packages have already been installed for Node ${process.versions.node}; reusing them.`,
  );
});

test("copies the packages if only files that do not affect the installation change", async () => {
  files["agent.ts"] = "one";
  await install();
  files["agent.ts"] = "two";
  await install();
  expect(installations()).toBe(1);
});

test.each<[string, () => void]>([
  ["package.json", () => (files["package.json"] = '{ "dependencies": { "dep": "1.0.1" } }')],
  ["lock file", () => (files["package-lock.json"] = '{ "lockfileVersion": 3 }')],
  ["project's .npmrc", () => (files[".npmrc"] = "omit=dev\n")],
  ["user's .npmrc", () => appendFileSync(join(process.env["HOME"]!, ".npmrc"), "omit=dev\n")],
  ["registry", () => (process.env["npm_config_registry"] = "http://127.0.0.1:9/")],
  ["version of npm", () => writeFileSync(join(programs, "..", "package.json"), "{}")],
  [
    "version of Node.js",
    () => Object.defineProperty(process, "versions", { value: { ...versions, node: "23.0.0" } }),
  ],
])("installs the packages again if the %s changes", async (name, change) => {
  if (name === "version of npm") {
    programs = join(programs, "bin");
    mkdirSync(programs);
    writeNpm();
    process.env["PATH"] = [programs, env["PATH"]].join(delimiter);
  }
  await install();
  change();
  const root = await install();
  expect(installations()).toBe(2);
  expect(readFileSync(moduleFile(root, "dep", "manifest"), "utf8")).toBe(files["package.json"]);
  await install();
  expect(installations()).toBe(2);
});

test.each<[string, () => void]>([
  [
    "its own install scripts",
    () => (files["package.json"] = '{ "dependencies": {"dep": "1"}, "scripts": {"postinstall": "x"} }'),
  ],
  ["workspaces", () => (files["package.json"] = '{ "workspaces": ["packages/*"] }')],
  ["code that npm compiles", () => (files["binding.gyp"] = "{}")],
  ["packages in its source", () => (files["node_modules/own/index.js"] = "")],
  [
    "a link to another folder",
    () => writeNpm({ hiddenLock: '{ "packages": { "node_modules/dep": { "link": true } } }' }),
  ],
  [
    "a package from a file",
    () => writeNpm({ hiddenLock: '{ "packages": { "node_modules/dep": { "resolved": "file:dep.tgz" } } }' }),
  ],
])("installs a project with %s every time", async (_, change) => {
  change();
  await install();
  await install();
  expect(installations()).toBe(2);
});

test("does not reuse the packages of a failed installation", async () => {
  writeNpm({ fails: true });
  await expect(install()).rejects.toThrow("npm ci exited with code 7");
  writeNpm();
  const root = await install();
  expect(installations()).toBe(2);
  expect(existsSync(moduleFile(root, ".bin", "dep"))).toBe(true);
});

test("installs the packages again if a program has changed a package of an earlier revision", async () => {
  const first = await install();
  const file = moduleFile(first, "dep", "cli.js");
  writeFileSync(file, "changed");
  // The modification time must differ even if the test is fast.
  utimesSync(file, new Date(), new Date(Date.now() + 60_000));
  const root = await install();
  expect(installations()).toBe(2);
  expect(readFileSync(moduleFile(root, "dep", "cli.js"), "utf8")).toBe("run\n");
  await install();
  expect(installations()).toBe(2);
});

test("does not share package files between revisions that have a build command", async () => {
  const roots = [await install({ hasBuildCommand: true }), await install({ hasBuildCommand: true })];
  for (const root of roots) appendFileSync(moduleFile(root, "dep", "cli.js"), "patched");
  const root = await install({ hasBuildCommand: true });
  expect(installations()).toBe(1);
  expect(readFileSync(moduleFile(root, "dep", "cli.js"), "utf8")).toBe("run\n");
});

test("provides all packages to each of several concurrent builds", async () => {
  const roots = await Promise.all([install(), install(), install()]);
  for (const root of roots) expect(existsSync(moduleFile(root, ".package-lock.json"))).toBe(true);
  const before = installations();
  await install();
  expect(installations()).toBe(before);
});
