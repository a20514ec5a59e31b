import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  isForContainers,
  isForControlPlane,
  isForGit,
  isForNpm,
  isForPython,
  pick,
} from "./allowed-environment";
import { variablesOfNpmrc } from "./npmrc";

/** Variable with the path of the file by which a process hands its secrets over to itself. */
const handoverVariable = "AGENTSERVER_HANDOVER";

/** Data that a process hands over to itself. */
interface Handover<Secrets> {
  secrets: Secrets;
  access: Record<string, string>;
}

/** Returns the variables for the user's access to repositories and packages, for git and npm only. */
export function ownAccess(environment: NodeJS.ProcessEnv): Record<string, string> {
  const inNpmrc = variablesOfNpmrc(environment);
  return pick(
    environment,
    (name) =>
      [isForGit, isForNpm, isForPython, isForContainers].some((isFor) => isFor(name)) || inNpmrc.has(name),
  );
}

/**
 * Removes everything from this process's environment that a control plane does not need. Programs of the same user can
 * read the environment with which a process was started (`/proc/<pid>/environ`, `ps e`), and agents are such programs.
 * Therefore, the process replaces itself, under its own id, with one that receives less: call this before anything
 * else. If a process cannot be replaced (Windows), the environment is unchanged. Variables that git and npm need for
 * the user's own access are restored in `process.env` afterwards, where other programs cannot read them.
 *
 * @param secretsOf - Reads the secrets in the environment to keep; they are handed over in a short-lived file.
 * @returns those secrets.
 */
export function withPrivateEnvironment<Secrets extends object>(
  secretsOf: (environment: NodeJS.ProcessEnv) => Secrets,
): Secrets {
  const handedOver = process.env[handoverVariable];
  if (handedOver !== undefined) return readAndDelete<Secrets>(handedOver);
  const secrets = secretsOf(process.env);
  if (!process.execve || Object.keys(process.env).every(isForControlPlane)) return secrets;
  const handover: Handover<Secrets> = { secrets, access: ownAccess(process.env) };
  const file = join(mkdtempSync(join(tmpdir(), "agentserver-")), "handover.json");
  writeFileSync(file, JSON.stringify(handover), { mode: 0o600, flag: "wx" });
  const environment = { ...pick(process.env, isForControlPlane), [handoverVariable]: file };
  return process.execve(
    process.execPath,
    [process.execPath, ...process.execArgv, ...process.argv.slice(1)],
    environment,
  );
}

function readAndDelete<Secrets>(file: string): Secrets {
  delete process.env[handoverVariable];
  const text = readFileSync(file, "utf8");
  rmSync(dirname(file), { recursive: true });
  const { secrets, access } = JSON.parse(text) as Handover<Secrets>;
  for (const [name, value] of Object.entries(access)) process.env[name] ??= value;
  return secrets;
}
