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

/**
 * Variable that contains the path of the file through which a process passes its secrets to the process that replaces
 * it.
 */
const handoverVariable = "AGENTSERVER_HANDOVER";

/** Data that a process passes to the process that replaces it. */
interface Handover<Secrets> {
  secrets: Secrets;
  access: Record<string, string>;
}

/** Returns the variables that give access to the user's repositories and packages, which only git and npm receive. */
export function ownAccess(environment: NodeJS.ProcessEnv): Record<string, string> {
  const inNpmrc = variablesOfNpmrc(environment);
  return pick(
    environment,
    (name) =>
      [isForGit, isForNpm, isForPython, isForContainers].some((isFor) => isFor(name)) || inNpmrc.has(name),
  );
}

/**
 * Removes everything from the environment of this process that a control plane does not need. Programs of the
 * same user, including agents, can read the environment that a process was started with
 * (`/proc/<pid>/environ`, `ps e`). Therefore, this process replaces itself, under the same process ID, with a
 * process that receives fewer variables. Call this function before doing anything else. If a process cannot
 * be replaced (Windows), the environment is unchanged. Variables that git and npm need for the user's own
 * access are restored in `process.env` afterward, where other programs cannot read them.
 *
 * @param secretsOf - Returns the secrets in the environment that this process needs. They are passed on in a
 * short-lived file.
 * @returns these secrets.
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
