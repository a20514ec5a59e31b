import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build, type Plugin } from "esbuild";
import { repositoryRoot } from "../repository";
import { version as nodeVersion } from "./node-packages.json";

/** Entry point of the provider plugin. */
const entryPoint = join(repositoryRoot, "cli", "plugin.ts");

/** Bundle that contains the provider plugin in a single file. */
export interface Bundle {
  code: Buffer;
  /** Folders of the packages in the bundle, sorted. */
  packages: string[];
}

/** Bundles the provider plugin with all packages that it uses. */
export async function bundlePlugin(): Promise<Bundle> {
  const { metafile, outputFiles } = await build({
    entryPoints: [entryPoint],
    absWorkingDir: repositoryRoot,
    outfile: "plugin.js",
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    target: `node${nodeVersion}`,
    // Identifiers are kept, because messages may contain the names of classes.
    minifySyntax: true,
    minifyWhitespace: true,
    // The archives contain the licenses of all packages.
    legalComments: "none",
    logLevel: "silent",
    plugins: [modulesOfPulumi, withoutSerialization],
  });
  const folders = Object.keys(metafile.inputs).flatMap(
    (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
  );
  const packages = [...new Set(folders)].sort().map((folder) => join(repositoryRoot, folder));
  return { code: Buffer.from(outputFiles[0]!.contents), packages };
}

/**
 * Plugin for esbuild that omits the packages with which Pulumi serializes functions. Only programs with dynamic
 * providers need them.
 */
const withoutSerialization: Plugin = {
  name: "without-serialization",
  setup(builder) {
    const namespace = "without-serialization";
    const filter = /^(typescript|@npmcli\/arborist|normalize-package-data)$/;
    builder.onResolve({ filter }, ({ path }) => ({ path, namespace }));
    builder.onLoad({ filter, namespace }, () => ({ contents: "" }));
  },
};

const prefix = "of-pulumi:";

/** Plugin for esbuild that resolves the modules in calls to `ofPulumi` to the same modules as at run time. */
const modulesOfPulumi: Plugin = {
  name: "modules-of-pulumi",
  setup(builder) {
    const resolveDir = dirname(require.resolve("@pulumi/pulumi/package.json"));
    builder.onLoad({ filter: /[\\/]provider[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      return { loader: "ts", contents: text.replace(/\bofPulumi\("/g, `require("${prefix}`) };
    });
    builder.onResolve({ filter: new RegExp(`^${prefix}`) }, ({ path, kind }) =>
      builder.resolve(path.slice(prefix.length), { kind, resolveDir }),
    );
  },
};
