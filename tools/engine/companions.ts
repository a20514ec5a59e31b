import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const hostFolder = join(__dirname, "..", "language-host");
const sharedSource = join(__dirname, "..", "process-group.ts");
const bundledPackages = ["@grpc/grpc-js", "@pulumi/pulumi", "google-protobuf", "esbuild"];

/** Identifies the programs that `addCompanions` makes: their sources and the packages that go into them. */
export function companionsHash(): string {
  const hash = createHash("sha256");
  const sources = readdirSync(hostFolder).map((name) => join(hostFolder, name));
  for (const file of [...sources.sort(), sharedSource, __filename]) hash.update(readFileSync(file));
  for (const name of bundledPackages) {
    hash.update(`${name} ${JSON.parse(readFileSync(packageFile(name), "utf8")).version}\n`);
  }
  return hash.digest("hex").slice(0, 12);
}

/**
 * Puts beside a built `pulumi` what an official one comes with: the launcher of dynamic providers, and our language
 * host as one self-contained script, so that the cache depends on no checkout.
 */
export async function addCompanions(binFolder: string): Promise<void> {
  const launcher = join(binFolder, "pulumi-resource-pulumi-nodejs");
  copyFileSync(join(dirname(packageFile("@pulumi/pulumi")), "pulumi-resource-pulumi-nodejs"), launcher);
  chmodSync(launcher, 0o755);
  await bundleLanguageHost(binFolder);
}

/** Bundles the language host, with the file it preloads into programs, into `binFolder`. */
export async function bundleLanguageHost(binFolder: string): Promise<void> {
  const { build } = require("esbuild") as typeof import("esbuild");
  const host = join(binFolder, "pulumi-language-nodejs");
  await build({
    entryPoints: [join(hostFolder, "main.ts")],
    outfile: host,
    bundle: true,
    platform: "node",
    target: "node20",
    minify: true,
    legalComments: "none",
    logLevel: "silent",
    banner: { js: "#!/usr/bin/env node" },
  });
  chmodSync(host, 0o755);
  // A script without an extension is CommonJS or not as the nearest package.json says.
  writeFileSync(join(binFolder, "package.json"), `{ "type": "commonjs" }\n`);
  copyFileSync(join(hostFolder, "program-preload.cjs"), join(binFolder, "program-preload.cjs"));
}

function packageFile(name: string): string {
  return require.resolve(`${name}/package.json`);
}
