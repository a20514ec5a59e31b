import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type GenerateProgramRequest, GenerateProgramResponse } from "@pulumi/pulumi/proto/language_pb";
import { cacheFolder } from "../../cache-folder";
import type { HostContext } from "./run-program";

/** Maximum size of a generated program, in bytes. */
const maxBuffer = 64 * 1_024 * 1_024;

/**
 * Generates a program from its sources in Pulumi's configuration language (PCL) with the engine's own generators.
 * `pulumi import` prints such programs.
 * @throws if the SDK generator has not been built, or if it fails
 */
export async function generateProgram(
  request: GenerateProgramRequest,
  language: HostContext["language"],
  env = process.env,
): Promise<GenerateProgramResponse> {
  const generator = newestGenerator(env);
  if (generator === undefined)
    throw new Error(
      "Cannot generate code, because the SDK generator has not been built. Run `npm run sdks` in the repository once.",
    );
  const folder = mkdtempSync(join(tmpdir(), "agentserver-program-"));
  try {
    const sources = join(folder, "sources.json");
    writeFileSync(sources, JSON.stringify(Object.fromEntries(request.getSourceMap().toArray())));
    const args = ["program", language, request.getLoaderTarget(), sources];
    const { stdout } = await promisify(execFile)(generator, args, { maxBuffer });
    const response = new GenerateProgramResponse();
    for (const [name, text] of Object.entries(JSON.parse(stdout) as Record<string, string>))
      response.getSourceMap().set(name, Buffer.from(text));
    return response;
  } catch (error) {
    throw new Error((error as { stderr?: string }).stderr?.trim() || String(error), { cause: error });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the path of the SDK generator that was used or built last, if any. */
function newestGenerator(env: NodeJS.ProcessEnv): string | undefined {
  const cache = join(cacheFolder(env), "sdk-generator");
  if (!existsSync(cache)) return undefined;
  const names = readdirSync(cache).filter((name) => name.startsWith(`${process.platform}-${process.arch}-`));
  return names
    .map((name) => join(cache, name, "sdk-generator"))
    .filter((path) => existsSync(path))
    .toSorted((one, other) => statSync(one).mtimeMs - statSync(other).mtimeMs)
    .at(-1);
}
