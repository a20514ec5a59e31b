import { onPath } from "../../../process/on-path";
import { run } from "./command";
import { installationEnvironment } from "./environment";
import { oldestPython } from "./packages";

/** A Python interpreter that environments are created from. */
interface Interpreter {
  /** Absolute path of the interpreter, or the version to request if uv provides it. */
  command: string;
  /** Full version of the interpreter, such as `3.12.4`. */
  version: string;
}

/** Tools for creating environments and installing packages. */
export interface Tools {
  python: Interpreter;
  /** Absolute path of uv, which is preferred over pip. */
  uv?: string;
}

/** Context for running programs. */
export interface Search {
  folder: string;
  owner: string;
  signal: AbortSignal;
  /** Called for each unusable Python interpreter on the `PATH`. */
  skipped?: (why: string) => void;
}

/** Version for uv to install if any version is acceptable. */
const installedByDefault = "3.13";

const question = "import platform; print(platform.python_version())";

/**
 * Returns the tools for the configuration: uv, if it is installed, and a Python interpreter on the `PATH` or, if there
 * is none, one that uv provides. Skips commands that cannot be run, such as the shims of some version managers.
 *
 * @param wanted - Version, such as `3.12`. Defaults to any version that the runtime supports.
 */
export async function findTools(wanted: string | undefined, search: Search): Promise<Tools> {
  if (wanted !== undefined && !isAtLeast(wanted, oldestPython))
    throw new Error(
      `The graph configuration requires Python ${wanted}, but the runtime needs ${oldestPython} or later. ` +
        "Change python_version.",
    );
  const environment = installationEnvironment();
  const uv = onPath("uv", environment["PATH"]).at(0);
  const tools = uv === undefined ? {} : { uv };
  const names = wanted ? [`python${wanted}`, "python3", "python"] : namesOfAny;
  for (const command of names.flatMap((name) => onPath(name, environment["PATH"]))) {
    const { code, lines } = await run({ command, args: ["-c", question], environment, ...search });
    const version = lines.at(-1)?.trim() ?? "";
    if (code !== 0 || !/^\d+\.\d+/.test(version)) search.skipped?.(`${command} does not run`);
    else if (!suits(version, wanted)) search.skipped?.(`${command} is version ${version}`);
    else return { python: { command, version }, ...tools };
  }
  if (uv === undefined) throw new Error(`${missing(wanted)} ${advice(wanted)}`);
  return { python: await ofUv(uv, wanted, environment, search), uv };
}

/** Makes uv find or download an interpreter. */
async function ofUv(
  uv: string,
  wanted: string | undefined,
  environment: Record<string, string>,
  search: Search,
): Promise<Interpreter> {
  const ask = (...args: string[]) => run({ command: uv, args, environment, ...search });
  const find = ["python", "find", wanted ?? `>=${oldestPython}`];
  let found = await ask(...find);
  if (found.code !== 0) {
    const installed = await ask("python", "install", "--no-progress", wanted ?? installedByDefault);
    if (installed.code === 0) found = await ask(...find);
    else found.lines = installed.lines;
  }
  const command = found.lines.at(-1)?.trim() ?? "";
  if (found.code !== 0)
    throw new Error(
      `${missing(wanted)} uv cannot install it: ${command || "it reported no error"}. ${installation(wanted)}.`,
    );
  const { lines } = await run({ command, args: ["-c", question], environment, ...search });
  return { command, version: lines.at(-1)?.trim() ?? "" };
}

const missing = (wanted: string | undefined): string =>
  `No Python ${wanted ?? `${oldestPython} or later`} is on the PATH of the control plane.`;

const installation = (wanted: string | undefined): string =>
  `Install Python ${wanted ?? `${oldestPython} or later`} with its venv module`;

const advice = (wanted: string | undefined): string =>
  `${installation(wanted)}, or install uv, which can install any version.`;

const namesOfAny = ["python3", "python3.13", "python3.12", "python3.11", "python3.14", "python"];

function suits(version: string, wanted: string | undefined): boolean {
  return wanted === undefined ? isAtLeast(version, oldestPython) : version.startsWith(`${wanted}.`);
}

function isAtLeast(version: string, oldest: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split(".").map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}
