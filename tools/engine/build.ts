import { appendFileSync, copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Report } from "../progress";
import { findOnPath } from "./path";
import { run } from "../process";
import { engineVersion, isRecentEnough, oldestGo } from "./version";
import { copyWithoutClouds } from "./without-clouds";

/** The folder with go.mod and go.sum: exact versions of everything the engine is made of. */
export const moduleFolder = __dirname;

const engineModule = "github.com/pulumi/pulumi/pkg/v3";
const enginePackage = `${engineModule}/cmd/pulumi`;

/** The arguments of `go`, without the output file. */
export const buildRecipe = [
  "build",
  "-v",
  "-trimpath",
  "-tags",
  "osusergo,grpcnotrace",
  "-ldflags",
  `-w -s -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${engineVersion}`,
];

/** What a step that makes an engine needs to know about its surroundings. */
export interface MakeOptions {
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  report: Report;
}

/** Why an engine cannot be built here, or undefined if Go is present and recent enough. */
export async function whyNoGo(env: NodeJS.ProcessEnv, signal?: AbortSignal): Promise<string | undefined> {
  const go = findOnPath("go", env);
  if (go === undefined) return "there is no Go on PATH";
  const answer = await run(go, ["version"], { cwd: moduleFolder, env: goEnvironment(env), signal });
  if (answer.code === 0 && isRecentEnough(answer.stdout, oldestGo)) return undefined;
  return `Go is too old (${(answer.stdout || answer.stderr).trim().split("\n").at(-1)})`;
}

/** Builds `pulumi` from Go modules into `folder`/bin, without the packages of clouds. */
export async function buildEngine(folder: string, options: MakeOptions): Promise<void> {
  mkdirSync(join(folder, "bin"), { recursive: true });
  const sources = join(folder, "sources");
  await prepareSources(sources, options);
  const output = join(folder, "bin", "pulumi");
  await runGo([...buildRecipe, "-o", output, enginePackage], sources, options);
  rmSync(sources, { recursive: true, force: true });
}

/** A Go module that builds the engine from a copy: Go takes no other files than its own for what is in its cache. */
async function prepareSources(folder: string, options: MakeOptions): Promise<void> {
  const answer = await runGo(["mod", "download", "-json", engineModule], moduleFolder, options);
  const { Dir: module } = JSON.parse(answer) as { Dir: string };
  copyWithoutClouds(module, join(folder, "pkg"));
  for (const file of ["go.mod", "go.sum"]) copyFileSync(join(moduleFolder, file), join(folder, file));
  appendFileSync(join(folder, "go.mod"), `\nreplace ${engineModule} => ./pkg\n`);
}

/** What `go` prints. @throws with the last lines of what it reports, where it fails */
async function runGo(words: string[], cwd: string, { env, signal, report }: MakeOptions): Promise<string> {
  const counts = { downloaded: 0, compiled: 0 };
  const result = await run("go", words, {
    cwd,
    env: goEnvironment(env),
    signal,
    onErrorLine: (line) => {
      if (line.startsWith("go: downloading ")) report(`downloading modules (${++counts.downloaded})`);
      else if (/^[\w.-]+(\/[\w.-]+)*$/.test(line)) report(`compiling (${++counts.compiled} packages)`);
    },
  });
  if (result.code !== 0) throw new Error(`go ${words[0]} failed: ${lastLines(result.stderr)}`);
  return result.stdout;
}

/** Go's environment without the settings of the user that could change what is built. */
function goEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, GOFLAGS: "-mod=readonly", GOWORK: "off", CGO_ENABLED: "0", GOOS: "", GOARCH: "" };
}

function lastLines(text: string): string {
  return text.trim().split("\n").slice(-5).join("\n");
}
