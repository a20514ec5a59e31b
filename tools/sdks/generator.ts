import { createHash } from "node:crypto";
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheFolder } from "../cache-folder";
import { buildProgram, buildRecipe, goObstacle, type MakeOptions, moduleFolder } from "../dev-engine/build";
import { isExecutable } from "../dev-engine/path";
import { fillFolder } from "../filled-folder";
import { run } from "../process";
import type { Progress } from "../progress";
import { repositoryRoot } from "../repository";
import { type PackageSchema, packageSchemaPath } from "../schemas/package-schema";

/** Languages for which SDKs are generated. */
export const languages = ["python", "go", "nodejs"] as const;

/** Options of the functions that run the generator. */
export interface GeneratorOptions {
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  progress: Progress;
}

const sources = [
  "go.mod",
  "go.sum",
  join("sdk-generator", "main.go"),
  join("sdk-generator", "python_names.go"),
];

/** Module that the program generators import but the engine does not. */
const addedModule = "github.com/iancoleman/strcase v0.3.0";

/** Returns a name for the generator that changes with its sources. */
export function generatorName(): string {
  const hash = createHash("sha256").update(JSON.stringify([buildRecipe, addedModule]));
  for (const file of sources) hash.update(readFileSync(join(moduleFolder, file)));
  return `${process.platform}-${process.arch}-${hash.digest("hex").slice(0, 12)}`;
}

/**
 * Builds and caches the program that runs the engine's code generators.
 * @throws with the reason if Go is missing or too old
 */
async function ensureGenerator({ env, signal, progress }: GeneratorOptions): Promise<string> {
  const name = generatorName();
  const cache = join(cacheFolder(env), "sdk-generator");
  const programIn = (folder: string) => join(folder, "sdk-generator");
  const isComplete = (folder: string) => isExecutable(programIn(folder));
  if (!isComplete(join(cache, name))) {
    const obstacle = await goObstacle(env, signal);
    if (obstacle !== undefined) throw new Error(`The SDKs cannot be generated: ${obstacle}. Install Go.`);
    await progress.step("building the SDK generator", (report) =>
      fillFolder(
        cache,
        name,
        {
          make: (folder) => build(folder, programIn(folder), { env, signal, report }),
          isComplete,
          contentName: "SDK generator",
        },
        { signal },
      ),
    );
  }
  const program = programIn(join(cache, name));
  // The language host runs the program that was used last.
  const now = new Date();
  try {
    utimesSync(program, now, now);
  } catch {
    // The cache may belong to another user or be read-only.
  }
  return program;
}

/**
 * Builds the generator with the engine's module versions, so that packages that were compiled for the engine are not
 * compiled again.
 */
async function build(folder: string, program: string, options: MakeOptions): Promise<void> {
  const module = join(folder, "module");
  mkdirSync(join(module, "sdk-generator"), { recursive: true });
  for (const file of sources) copyFileSync(join(moduleFolder, file), join(module, file));
  appendFileSync(join(module, "go.mod"), `\nrequire ${addedModule}\n`);
  await buildProgram(program, "./sdk-generator", module, options);
  rmSync(module, { recursive: true });
}

/**
 * Generates the SDKs in all languages, one folder per language. Fails if the schema is not valid.
 * @param schema Path of the schema. Default: the schema of the provider plugin.
 */
export async function generateSdks(
  folder: string,
  options: GeneratorOptions,
  schema = join(repositoryRoot, packageSchemaPath),
): Promise<void> {
  const generator = await ensureGenerator(options);
  for (const language of languages) rmSync(join(folder, language), { recursive: true, force: true });
  await runGenerator(generator, ["sdks", schema, folder], options);
}

/** Programs keyed by name, each in all languages. */
export type Programs = Record<string, Record<"typescript" | "python" | "go", string>>;

/** Generates programs from their sources in Pulumi's configuration language (PCL). */
export async function generatePrograms(
  schema: PackageSchema,
  sources: Record<string, string>,
  options: GeneratorOptions,
): Promise<Programs> {
  const generator = await ensureGenerator(options);
  const folder = mkdtempSync(join(tmpdir(), "agentserver-programs-"));
  try {
    const [schemaFile, sourcesFile] = [join(folder, "schema.json"), join(folder, "sources.json")];
    writeFileSync(schemaFile, JSON.stringify(schema));
    writeFileSync(sourcesFile, JSON.stringify(sources));
    return JSON.parse(
      await runGenerator(generator, ["programs", schemaFile, sourcesFile], options),
    ) as Programs;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function runGenerator(
  generator: string,
  args: string[],
  { env, signal }: GeneratorOptions,
): Promise<string> {
  const { code, stdout, stderr } = await run(generator, args, { env, signal });
  if (code !== 0) throw new Error(`The SDK generator failed: ${stderr.trim()}`);
  return stdout;
}
