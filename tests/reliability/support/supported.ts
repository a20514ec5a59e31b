import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../../tools/repository";

interface Manifest {
  engines: { node: string };
  peerDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

const manifest = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as Manifest;

/** The oldest SDK that the package accepts, and the newest one that was tested. */
export const sdks = { oldest: oldestIn(manifest.peerDependencies["@pulumi/pulumi"]!), newest: "3.270.0" };

/**
 * The oldest Node.js version that the package accepts, the newest release with the same major version, and the
 * project's own version.
 */
export const nodes = {
  oldest: oldestIn(manifest.engines.node),
  newest22: "22.23.3",
  newest24: manifest.devDependencies["node"]!,
};

/** The compiler and the Node.js type declarations that programs are checked with. */
export const compilerPackages = ["typescript", "@types/node"].map(
  (name) => `${name}@${manifest.devDependencies[name]}`,
);

/** Returns the lower bound of a range such as `^3.249.0` or `>=22.12`. */
function oldestIn(range: string): string {
  const [, version, patch = ".0"] = /^(?:\^|>=)(\d+\.\d+)(\.\d+)?$/.exec(range)!;
  return version + patch;
}
