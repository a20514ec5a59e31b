import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { moduleFolder } from "../dev-engine/build";

const sdk = "github.com/pulumi-agentserver/pulumi-agentserver/sdk/go";

/** Modules that Go programs need but the engine does not import. */
const addedModules = [
  "github.com/fsnotify/fsnotify v1.10.1",
  "github.com/nxadm/tail v1.4.11",
  "github.com/spf13/cast v1.4.1",
  "gopkg.in/tomb.v1 v1.0.0-20141024135613-dd632973f1e7",
];

/** Arguments for `go` that reuse packages that were compiled for the engine. */
export const buildFlags = ["-trimpath", "-tags", "osusergo,grpcnotrace"];

/**
 * Creates a Go module that uses the same module versions as the engine.
 * @param sdkFolder folder of the generated Go SDK, which the programs import
 * @param programs source files, keyed by path
 */
export function createGoModule(folder: string, sdkFolder: string, programs: Record<string, string>): void {
  const files = {
    "go.mod": `${readFileSync(join(moduleFolder, "go.mod"), "utf8")}
require (
${addedModules.map((line) => `\t${line}\n`).join("")})
require ${sdk} v0.0.0
replace ${sdk} => ./${relative(folder, sdkFolder)}
`,
    "go.sum": [moduleFolder, __dirname].map((one) => readFileSync(join(one, "go.sum"), "utf8")).join(""),
    ...programs,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
