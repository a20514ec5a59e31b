import { mkdirSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { engineEnvironment } from "../../dev-engine/environment";
import { ensureEngine } from "../../dev-engine/ensure";
import type { LocalControlPlane } from "../../quickstart/control-plane";
import { run, type RunResult } from "../../process";
import type { Progress } from "../../progress";
import { repositoryRoot } from "../../repository";

/** Environment of a rehearsal: an empty folder outside of the repository, and an engine without plugins. */
export interface Surroundings {
  folder: string;
  /** Folder that contains the released files. */
  files: string;
  version: string;
  pulumi: string;
  env: Record<string, string>;
  signal: AbortSignal;
  progress: Progress;
}

/** Creates the environment of a rehearsal, in which the repository is not on the PATH. */
export async function createSurroundings(
  options: Pick<Surroundings, "folder" | "files" | "version" | "signal" | "progress">,
): Promise<Surroundings> {
  const engine = await ensureEngine({ signal: options.signal, progress: options.progress });
  const stateFolder = join(options.folder, "engine");
  mkdirSync(stateFolder, { recursive: true });
  const { NODE_PATH, PYTHONPATH, ...env } = environmentOutside(process.env);
  const settings = { engine, stateFolder, passphrase: "rehearsal", env };
  return { ...options, pulumi: engine.pulumi, env: engineEnvironment(settings) };
}

/** Returns the environment without the commands that are installed in the repository, and without our settings. */
function environmentOutside(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isOutside = (folder: string) =>
    !resolve(folder).startsWith(join(repositoryRoot, "node_modules", ".bin"));
  const path = (env["PATH"] ?? "").split(delimiter).filter(isOutside).join(delimiter);
  const others = Object.entries(env).filter(([name]) => !/^(AGENTSERVER|npm|NPM)_/.test(name));
  const cache = env["AGENTSERVER_CACHE"];
  return { ...Object.fromEntries(others), PATH: path, ...(cache && { AGENTSERVER_CACHE: cache }) };
}

/** Returns the environment variables with which programs connect to a control plane. */
export function connectionVariables(plane: LocalControlPlane): Record<string, string> {
  return {
    AGENTSERVER_BASE_URL: plane.baseUrl,
    AGENTSERVER_API_KEY: plane.apiKey,
    AGENTSERVER_TENANT_ID: plane.tenantId,
  };
}

/** Runs a program in a folder, and returns its output. @throws Error with the end of the output if it fails */
export async function succeed(
  [program, ...args]: readonly [string, ...string[]],
  cwd: string,
  { env, signal }: Pick<Surroundings, "env" | "signal">,
): Promise<string> {
  const result: RunResult = await run(program, args, { cwd, env, signal });
  const output = `${result.stdout}${result.stderr}`;
  if (result.code === 0) return output;
  const end = output.trim().split("\n").slice(-40).join("\n");
  throw new Error(`\`${[program, ...args].join(" ")}\` failed in ${cwd}:\n${end}`);
}
