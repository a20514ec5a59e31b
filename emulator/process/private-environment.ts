import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isForControlPlane, pick } from "./allowed-environment";

/** Names the file by which a process hands its secrets over to itself. */
const handoverVariable = "AGENTSERVER_HANDOVER";

/**
 * Takes everything out of this process's environment that a control plane does not need. Programs of the same user can
 * read the environment that a process was started with (`/proc/<pid>/environ`, `ps e`), and agents are such programs. So
 * the process replaces itself, under its own id, with one that gets less: call this before anything else. Where a
 * process cannot be replaced (Windows), the environment stays as it is.
 *
 * @param secretsOf - Reads what has to be kept from the environment; it is handed over by a file that exists for a moment.
 * @returns those secrets.
 */
export function withPrivateEnvironment<Secrets extends object>(
  secretsOf: (environment: NodeJS.ProcessEnv) => Secrets,
): Secrets {
  const handover = process.env[handoverVariable];
  if (handover !== undefined) return taken<Secrets>(handover);
  const secrets = secretsOf(process.env);
  if (!process.execve || Object.keys(process.env).every(isForControlPlane)) return secrets;
  const file = join(mkdtempSync(join(tmpdir(), "agentserver-")), "handover.json");
  writeFileSync(file, JSON.stringify(secrets), { mode: 0o600, flag: "wx" });
  const environment = { ...pick(process.env, isForControlPlane), [handoverVariable]: file };
  return process.execve(
    process.execPath,
    [process.execPath, ...process.execArgv, ...process.argv.slice(1)],
    environment,
  );
}

function taken<Secrets>(file: string): Secrets {
  delete process.env[handoverVariable];
  const text = readFileSync(file, "utf8");
  rmSync(dirname(file), { recursive: true });
  return JSON.parse(text) as Secrets;
}
