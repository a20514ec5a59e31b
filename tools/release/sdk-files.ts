import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { description, engines, version } from "../../package.json";
import { writeArchive } from "../executables/archives";
import { run } from "../process";
import { ensurePythonEnvironment } from "../python/environment";
import { pythonRequirements } from "../python/program";
import { copyPytestPlugin, pytestPluginFolder } from "../python/pytest-plugin";
import { repositoryRoot } from "../repository";
import { packageSchemaPath, repository } from "../schemas/package-schema";
import { generateSdks, type GeneratorOptions } from "../sdks/generator";
import { withAbsoluteLinks } from "./readme";

type BuildOptions = Pick<GeneratorOptions, "env" | "signal">;

/** Python code that builds a distribution with the installed version of setuptools instead of downloading one. */
const buildPython =
  "import sys; from setuptools import build_meta; getattr(build_meta, sys.argv[1])(sys.argv[2])";

/**
 * Writes the schema of the provider plugin and its SDKs to a folder: the npm package, the Python wheel and source
 * distribution, and the Go module.
 */
export async function writeSdks(output: string, options: GeneratorOptions): Promise<void> {
  mkdirSync(output, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), "agentserver-sdks-"));
  try {
    await generateSdks(work, options);
    copyFileSync(join(repositoryRoot, packageSchemaPath), join(output, "schema.json"));
    const python = join(work, "python");
    // The package metadata refers to a README, but the generator does not create one.
    writeReadme(python);
    await writePython(python, output, options);
    await writeNode(join(work, "nodejs"), output, options);
    const go = join(work, "go");
    copyFileSync(join(repositoryRoot, "LICENSE"), join(go, "LICENSE"));
    await writeArchive(join(output, `pulumi-agentserver-go-${version}.tar.gz`), go);
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** Writes the wheel and the source distribution of the plugin for pytest to a folder. */
export async function writePytestPlugin(output: string, options: BuildOptions): Promise<void> {
  mkdirSync(output, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), "agentserver-pytest-"));
  try {
    copyPytestPlugin(folder);
    const source = relative(repositoryRoot, pytestPluginFolder);
    writeReadme(folder, readFileSync(join(folder, "README.md"), "utf8"), source);
    await writePython(folder, output, options);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function writePython(folder: string, output: string, { env, signal }: BuildOptions): Promise<void> {
  const environment = await ensurePythonEnvironment(pythonRequirements, env, signal);
  if ("missing" in environment) throw new Error(environment.missing);
  copyFileSync(join(repositoryRoot, "LICENSE"), join(folder, "LICENSE"));
  for (const build of ["build_sdist", "build_wheel"])
    await succeed(environment.python, ["-c", buildPython, build, output], folder, { env, signal });
}

/** Compiles and packs the Node.js SDK. The folder with the compiled files becomes the package. */
async function writeNode(folder: string, output: string, { env, signal }: GeneratorOptions): Promise<void> {
  const modules = join(repositoryRoot, "node_modules");
  symlinkSync(modules, join(folder, "node_modules"), "junction");
  const compiler = join(modules, "typescript", "bin", "tsc");
  const options = ["--declarationMap", "false", "--sourceMap", "false"];
  await succeed(process.execPath, [compiler, "--project", folder, ...options], folder, { env, signal });
  const compiled = join(folder, "bin");
  const {
    scripts,
    devDependencies,
    repository: address,
    ...manifest
  } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, unknown>;
  const published = {
    ...manifest,
    description: `Node.js SDK of the provider plugin: ${description}`,
    engines,
    repository: { type: "git", url: `git+${String(address)}.git` },
    type: "commonjs",
    main: "index.js",
    types: "index.d.ts",
  };
  writeFileSync(join(compiled, "package.json"), `${JSON.stringify(published, undefined, 2)}\n`);
  cpSync(join(repositoryRoot, "LICENSE"), join(compiled, "LICENSE"));
  writeReadme(compiled);
  await succeed("npm", ["pack", "--ignore-scripts", "--pack-destination", output], compiled, { env, signal });
}

/**
 * Writes a README with links to the files of the release. By default, uses the README of the repository.
 *
 * @param source folder of the README, relative to the root
 */
function writeReadme(
  folder: string,
  text = readFileSync(join(repositoryRoot, "README.md"), "utf8"),
  source = "",
): void {
  const address = { root: repositoryRoot, repository, tag: `v${version}` };
  writeFileSync(join(folder, "README.md"), withAbsoluteLinks(text, source, address));
}

async function succeed(program: string, args: string[], cwd: string, options: BuildOptions): Promise<void> {
  const { code, stdout, stderr } = await run(program, args, { cwd, ...options });
  if (code !== 0) throw new Error(`${program} failed in ${cwd}:\n${stdout}${stderr}`.trim());
}
