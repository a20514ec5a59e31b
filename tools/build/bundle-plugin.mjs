// Replaces the main module of the provider plugin with a bundle:
// `node tools/build/bundle-plugin.mjs <root> <output folder>`. Loading one file takes less time than loading all modules
// of this package. Other packages are not bundled.
import { join } from "node:path";
import { build } from "esbuild";

const [root, output] = process.argv.slice(2);
await build({
  absWorkingDir: root,
  entryPoints: ["cli/plugin-main.ts"],
  tsconfig: "tsconfig.build.json",
  outfile: join(output, "cli", "plugin-main.js"),
  allowOverwrite: true,
  bundle: true,
  packages: "external",
  platform: "node",
  // The oldest version that the package supports.
  target: "node22",
  // Identifiers are kept, because messages may contain the names of classes.
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: "error",
});
