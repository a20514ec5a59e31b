import { writeFile } from "node:fs/promises";
import type { Search } from "./interpreter";
import { run } from "./command";
import { runtimePackages } from "./packages";

/** Script that prints `name==version` for every package of a `uv.lock` that has one version and comes from an index. */
const reading = `
import sys, tomllib
versions = {}
for package in tomllib.load(open(sys.argv[1], "rb")).get("package", []):
    if "registry" in package.get("source", {}) and "version" in package:
        versions.setdefault(package["name"], set()).add(package["version"])
for name, found in sorted(versions.items()):
    if len(found) == 1:
        print(f"{name}=={found.pop()}")
`;

/** Writes the versions of a `uv.lock` as constraints for pip and uv; the runtime's own packages are excluded. */
export async function writeConstraints(
  lock: string,
  file: string,
  python: string,
  environment: Record<string, string>,
  search: Search,
): Promise<void> {
  const args = ["-c", reading, lock];
  const { code, lines } = await run({ command: python, args, environment, ...search });
  if (code !== 0)
    throw new Error(`uv.lock cannot be read: ${lines.at(-1)?.trim() ?? "Python gave no reason"}.`);
  const kept = lines.filter((line) => !Object.hasOwn(runtimePackages, line.split("==")[0]!));
  await writeFile(file, `${kept.join("\n")}\n`);
}
