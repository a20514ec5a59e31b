// Bundles the web console of the local control plane: `node tools/build/bundle-page.mjs <root> <output folder>`.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { build } from "esbuild";

const [root, outdir] = process.argv.slice(2);
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { main: "emulator/page/client/main.tsx" },
  tsconfig: "emulator/page/client/tsconfig.json",
  outdir,
  bundle: true,
  // Parts that not every user needs are loaded when they are opened.
  splitting: true,
  format: "esm",
  platform: "browser",
  target: "es2023",
  minify: true,
  legalComments: "none",
  metafile: true,
  logLevel: "error",
});
writeFileSync(join(outdir, "licenses.txt"), licenses(Object.keys(metafile.inputs)));

/** Returns the licenses of all packages that the bundle contains. */
function licenses(inputs) {
  const folders = new Set(
    inputs.flatMap(
      (input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input.split(sep).join("/")) ?? [],
    ),
  );
  return [...folders]
    .sort()
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
      const file = ["LICENSE", "LICENSE.md", "license"]
        .map((one) => join(root, folder, one))
        .find(existsSync);
      const text = file ? readFileSync(file, "utf8").trim() : `License: ${license}`;
      return `${name} ${version}\n\n${text}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);
}
