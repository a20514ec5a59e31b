import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type * as Esbuild from "esbuild";
import { pythonRunner } from "./language-host/python";

const hostFolder = join(__dirname, "language-host");
const launcherFolder = join(__dirname, "launcher");
const sharedSources = [
  join(__dirname, "lazy-arborist.ts"),
  join(__dirname, "..", "cache-folder.ts"),
  join(__dirname, "..", "process-group.ts"),
  join(__dirname, "..", "..", "provider", "engine", "watch.ts"),
];
const bundledPackages = ["@grpc/grpc-js", "@pulumi/pulumi", "google-protobuf", "esbuild"];

/** Returns a hash of the companion programs: their sources and bundled packages. */
export function companionsHash(): string {
  const hash = createHash("sha256");
  const sources = [hostFolder, launcherFolder].flatMap((folder) =>
    readdirSync(folder)
      .sort()
      .map((name) => join(folder, name)),
  );
  for (const file of [...sources, ...sharedSources, __filename]) hash.update(readFileSync(file));
  for (const name of bundledPackages) {
    const { version } = JSON.parse(readFileSync(packageFile(name), "utf8")) as { version: string };
    hash.update(`${name} ${version}\n`);
  }
  return hash.digest("hex").slice(0, 12);
}

/**
 * Adds the companions of an official engine to a built `pulumi`: a launcher for dynamic providers and a language host.
 * They are self-contained, so that the cache does not depend on a checkout.
 */
export async function addCompanions(binFolder: string): Promise<void> {
  await addLauncher(binFolder);
  await bundleLanguageHost(binFolder);
}

/** Adds the launcher for dynamic providers, and the file that it preloads, to `binFolder`. */
async function addLauncher(binFolder: string): Promise<void> {
  const launcher = join(binFolder, "pulumi-resource-pulumi-nodejs");
  copyFileSync(join(launcherFolder, "pulumi-resource-pulumi-nodejs"), launcher);
  chmodSync(launcher, 0o755);
  await bundle(join(launcherFolder, "dynamic-provider-preload.ts"), {
    outfile: join(binFolder, "dynamic-provider-preload.cjs"),
  });
}

/** Bundles the language hosts into `binFolder`, with the files that run programs. */
export async function bundleLanguageHost(binFolder: string): Promise<void> {
  const host = join(binFolder, "pulumi-language-nodejs");
  await bundle(join(hostFolder, "main.ts"), { outfile: host, banner: { js: "#!/usr/bin/env node" } });
  chmodSync(host, 0o755);
  // The nearest package.json determines whether a script without an extension is CommonJS.
  writeFileSync(join(binFolder, "package.json"), `{ "type": "commonjs" }\n`);
  await bundle(join(hostFolder, "program-preload.ts"), { outfile: join(binFolder, "program-preload.cjs") });
  // Under this name, the same host runs Python programs.
  const pythonHost = join(binFolder, "pulumi-language-python");
  writeFileSync(pythonHost, `#!/usr/bin/env node\nrequire("./${basename(host)}");\n`);
  chmodSync(pythonHost, 0o755);
  copyFileSync(join(hostFolder, pythonRunner), join(binFolder, pythonRunner));
}

async function bundle(entryPoint: string, options: Esbuild.BuildOptions): Promise<void> {
  // Loaded on demand, since most commands find the engine in the cache.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
  const { build } = require("esbuild") as typeof Esbuild;
  await build({
    ...options,
    entryPoints: [entryPoint],
    bundle: true,
    platform: "node",
    target: "node20",
    minify: true,
    legalComments: "none",
    logLevel: "silent",
  });
}

function packageFile(name: string): string {
  return require.resolve(`${name}/package.json`);
}
