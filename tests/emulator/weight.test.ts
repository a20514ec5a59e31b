import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { readJson } from "../json";
import { repositoryRoot } from "../../tools/repository";

interface Lock {
  packages: Record<string, { hasInstallScript?: true; version?: string }>;
}

const { packages: locked } = readJson<Lock>(readFileSync(join(repositoryRoot, "package-lock.json"), "utf8"));

/**
 * Returns the packages in an installation of the local control plane according to npm, as folders relative to the root.
 */
function installed(): string[] {
  const words = [
    "ls",
    "--workspace=agentserver-emulator",
    "--omit=dev",
    "--omit=peer",
    "--all",
    "--parseable",
  ];
  const listed = execFileSync("npm", words, {
    cwd: repositoryRoot,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const folders = listed.split("\n").map((path) => relative(repositoryRoot, path));
  return [...new Set(folders)].filter((folder) => folder.includes("node_modules/"));
}

function bytesIn(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => name !== "node_modules");
  return entries.reduce(
    (sum, entry) =>
      sum +
      (entry.isDirectory() ? bytesIn(join(folder, entry.name)) : statSync(join(folder, entry.name)).size),
    0,
  );
}

const folders = installed();

test("installs no packages with install scripts except esbuild", () => {
  expect(folders.length).toBeGreaterThan(100);
  const scripted = folders.filter((folder) => locked[folder]?.hasInstallScript);
  expect(scripted.map((folder) => folder.split("node_modules/").at(-1))).toEqual(["esbuild"]);
});

test.each(["emulator/README.md"])(
  "requires at most 10% more packages and disk space than %s states",
  (file) => {
    const text = readFileSync(join(repositoryRoot, file), "utf8");
    const [, packages, megabytes] = /(\d+)\s+packages\s+\((\d+)\s+MB\)/.exec(text) ?? [];
    expect(folders.length).toBeLessThanOrEqual(Number(packages) * 1.1);
    const total = folders.reduce((sum, folder) => sum + bytesIn(join(repositoryRoot, folder)), 0);
    expect(total / 1024 ** 2).toBeLessThanOrEqual(Number(megabytes) * 1.1);
  },
);
