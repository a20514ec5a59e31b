import { appendFileSync, copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Report } from "../progress";
import { findOnPath } from "./path";
import { run } from "../process";
import { engineVersion, isRecentEnough, minGoVersion } from "./version";
import { copyWithoutClouds } from "./without-clouds";

/** Folder that contains go.mod and go.sum, which pin the engine's modules. */
export const moduleFolder = __dirname;

const engineModule = "github.com/pulumi/pulumi/pkg/v3";
const enginePackage = `${engineModule}/cmd/pulumi`;

const buildOptions = [
  "-v",
  "-trimpath",
  "-tags",
  "osusergo,grpcnotrace",
  "-ldflags",
  `-w -s -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${engineVersion}`,
];

/** Arguments for building a program with `go`, without the output file. */
export const buildRecipe = ["build", ...buildOptions];

/** Options of the steps that create an engine. */
export interface MakeOptions {
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  report: Report;
}

/**
 * Returns the reason that an engine cannot be built, or undefined if a sufficiently recent version of Go is installed.
 */
export async function goObstacle(env: NodeJS.ProcessEnv, signal?: AbortSignal): Promise<string | undefined> {
  const go = findOnPath("go", env);
  if (go === undefined) return "Go is not on the PATH";
  const result = await run(go, ["version"], { cwd: moduleFolder, env: goEnvironment(env), signal });
  if (result.code === 0 && isRecentEnough(result.stdout, minGoVersion)) return undefined;
  return `Go is too old (${(result.stdout || result.stderr).trim().split("\n").at(-1)})`;
}

/** Builds `pulumi` from Go modules in `folder`/bin, without the packages for cloud services. */
export async function buildEngine(folder: string, options: MakeOptions): Promise<void> {
  mkdirSync(join(folder, "bin"), { recursive: true });
  const sources = join(folder, "sources");
  await prepareSources(sources, options);
  const output = join(folder, "bin", "pulumi");
  await buildProgram(output, enginePackage, sources, options);
  rmSync(sources, { recursive: true, force: true });
}

/** Creates a Go module that builds the engine from a copy, because files in the Go module cache cannot be replaced. */
async function prepareSources(folder: string, options: MakeOptions): Promise<void> {
  const result = await runGo(["mod", "download", "-json", engineModule], moduleFolder, options);
  const { Dir: module } = JSON.parse(result) as { Dir: string };
  copyWithoutClouds(module, join(folder, "pkg"));
  for (const file of ["go.mod", "go.sum"]) copyFileSync(join(moduleFolder, file), join(folder, file));
  appendFileSync(join(folder, "go.mod"), `\nreplace ${engineModule} => ./pkg\n`);
}

/** Builds a Go program in the same way as the engine, and reports how many of its packages have been compiled. */
export async function buildProgram(
  output: string,
  packagePath: string,
  cwd: string,
  options: MakeOptions,
): Promise<void> {
  // Prints a line for each package that is not in the build cache.
  const format = '{{if .Stale}}{{.ImportPath}}{{"\\n"}}{{end}}';
  const list = ["list", "-deps", ...buildOptions, "-f", format, packagePath];
  const total = (await runGo(list, cwd, options)).split("\n").filter(Boolean).length;
  await runGo([...buildRecipe, "-o", output, packagePath], cwd, options, total);
}

/**
 * Runs `go` without the user's settings for Go, and returns its output.
 * @param total number of packages to compile
 * @throws with the last lines of the error output if `go` fails
 */
export async function runGo(
  args: string[],
  cwd: string,
  { env, signal, report }: MakeOptions,
  total?: number,
): Promise<string> {
  const counts = { downloaded: 0, compiled: 0 };
  const result = await run("go", args, {
    cwd,
    env: goEnvironment(env),
    signal,
    onErrorLine: (line) => {
      if (line.startsWith("go: downloading ")) report(`downloading modules (${++counts.downloaded})`);
      else if (/^[\w.-]+(\/[\w.-]+)*$/.test(line)) report(compiling(++counts.compiled, total));
    },
  });
  if (result.code !== 0) throw new Error(`go ${args[0]} failed: ${lastLines(result.stderr)}`);
  return result.stdout;
}

function compiling(count: number, total?: number): string {
  return total ? `compiling ${count} of ${total} packages` : `compiling (${count} packages)`;
}

/** Returns the environment without the user's settings that could change the result of the build. */
function goEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, GOFLAGS: "-mod=readonly", GOWORK: "off", CGO_ENABLED: "0", GOOS: "", GOARCH: "" };
}

function lastLines(text: string): string {
  return text.trim().split("\n").slice(-5).join("\n");
}
