import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../../tools/repository";

interface Manifest {
  engines: { node: string };
  peerDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

const manifest = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as Manifest;

/** Oldest SDK that the package accepts, and the newest one that was tested. */
export const sdks = { oldest: oldestIn(manifest.peerDependencies["@pulumi/pulumi"]!), newest: "3.270.0" };

/** Oldest Node that the package accepts, the newest release of that version, and the project's own. */
export const nodes = {
  oldest: oldestIn(manifest.engines.node),
  newest22: "22.23.3",
  newest24: manifest.devDependencies["node"]!,
};

/** The compiler and the declarations of Node with which a program is checked. */
export const compilerPackages = ["typescript", "@types/node"].map(
  (name) => `${name}@${manifest.devDependencies[name]}`,
);

/** Returns the lower bound of a range such as `^3.249.0` or `>=22.12`. */
function oldestIn(range: string): string {
  const [, version, patch = ".0"] = /^(?:\^|>=)(\d+\.\d+)(\.\d+)?$/.exec(range)!;
  return version + patch;
}
