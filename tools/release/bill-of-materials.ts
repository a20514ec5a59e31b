import { run } from "../process";
import { bundledPackages, lockedPackages } from "./locked-packages";
import type { Package } from "./packages";

interface Component {
  "bom-ref": string;
  name: string;
  [field: string]: unknown;
}

interface Bill {
  metadata: { component: Component; [field: string]: unknown };
  components: Component[];
  [field: string]: unknown;
}

/**
 * Returns the SBOM of a package in CycloneDX format. It lists the packages that are installed as dependencies, and the
 * packages whose code is included in the package's files, each with its version in the lock file. Does not send
 * requests. Peer dependencies are omitted, because the user determines their versions.
 * @param root folder of the lock file
 */
export async function billOfMaterials(
  root: string,
  { folder, manifest }: Package,
  signal?: AbortSignal,
): Promise<string> {
  // All packages are requested, because npm's options for selecting packages would also omit dependencies of workspaces
  // that are development dependencies of the root. Peer dependencies are not checked, because some indirect
  // dependencies have conflicting ones.
  const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only", "--legacy-peer-deps"];
  const { code, stdout, stderr } = await run("npm", args, { cwd: root, signal });
  if (code !== 0) throw new Error(`npm sbom in ${root} failed:\n${stderr.trim()}`);
  const bill = JSON.parse(stdout) as Bill;
  const own = `${manifest.name}@${manifest.version}`;
  const bundled = bundledPackages(root, folder);
  const installed = new Map([...bundled, ...lockedPackages(root, folder)].map((one) => [one.id, one]));
  const component = [bill.metadata.component, ...bill.components].find((one) => one["bom-ref"] === own);
  if (!component || !installed.has(own))
    throw new Error(`The lock file does not contain ${own}. Run \`npm install\`.`);
  return `${JSON.stringify(
    {
      ...bill,
      // npm uses the name of the folder as the name of a package in the repository.
      metadata: { ...bill.metadata, component: { ...component, name: manifest.name } },
      components: bill.components.filter(({ "bom-ref": ref }) => ref !== own && installed.has(ref)),
      dependencies: [...installed.values()].map(({ id, dependsOn }) => ({
        ref: id,
        dependsOn: id === own ? [...dependsOn, ...bundled.map((one) => one.id)] : dependsOn,
      })),
    },
    undefined,
    2,
  )}\n`;
}
