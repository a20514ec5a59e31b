import { run } from "../process";
import type { Package } from "./packages";

interface Component {
  "bom-ref": string;
  name: string;
  [field: string]: unknown;
}

interface Bill {
  metadata: { component: Component; [field: string]: unknown };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
  [field: string]: unknown;
}

/**
 * Returns the SBOM of a package in CycloneDX: everything that its dependencies install, in the versions of the lock file.
 * Sends no request. Peer dependencies are omitted, since their versions are those of the user.
 * @param root folder of the lock file
 */
export async function billOfMaterials(
  root: string,
  { folder, manifest }: Package,
  signal?: AbortSignal,
): Promise<string> {
  const args = [
    ...["sbom", "--sbom-format", "cyclonedx", "--package-lock-only", "--omit", "dev", "--omit", "peer"],
    // Some dependencies of dependencies disagree about peers.
    ...["--legacy-peer-deps", folder === "" ? "--workspaces=false" : `--workspace=${folder}`],
  ];
  const { code, stdout, stderr } = await run("npm", args, { cwd: root, signal });
  if (code !== 0) throw new Error(`npm sbom in ${root} failed:\n${stderr.trim()}`);
  const bill = JSON.parse(stdout) as Bill;
  const own = `${manifest.name}@${manifest.version}`;
  const installed = reachable(own, bill.dependencies);
  const component = [bill.metadata.component, ...bill.components].find((one) => one["bom-ref"] === own);
  if (!component) throw new Error(`The lock file does not contain ${own}. Run \`npm install\`.`);
  return `${JSON.stringify(
    {
      ...bill,
      // To npm, the name of a package in the repository is that of its folder.
      metadata: { ...bill.metadata, component: { ...component, name: manifest.name } },
      components: bill.components.filter(({ "bom-ref": ref }) => ref !== own && installed.has(ref)),
      dependencies: bill.dependencies.filter(({ ref }) => installed.has(ref)),
    },
    undefined,
    2,
  )}\n`;
}

/** The packages that one depends on, directly or not, and itself. */
function reachable(own: string, dependencies: Bill["dependencies"]): Set<string> {
  const found = new Set([own]);
  // A set also visits what is added during the loop.
  for (const ref of found)
    for (const one of dependencies) if (one.ref === ref) for (const next of one.dependsOn) found.add(next);
  return found;
}
