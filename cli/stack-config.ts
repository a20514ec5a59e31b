import { execFile } from "node:child_process";
import { z } from "zod";
import { AgentServerError } from "../provider/errors";

/** Configuration of a stack. */
export interface StackConfig {
  /** Values of the `agentserver` namespace, without the prefix. */
  settings: Record<string, string>;
  /** All secrets of the entire configuration, in plaintext. */
  secrets: string[];
}

const prefix = "agentserver:";
/** Maximum size of the configuration, in bytes. */
const outputLimit = 16 * 1024 * 1024;

const configOutput = z.record(
  z.string(),
  z.object({
    value: z.string().optional(),
    objectValue: z.unknown().optional(),
    secret: z.boolean().optional(),
  }),
);

/**
 * Reads the configuration of a stack of the Pulumi project in `cwd`, using `pulumi config`.
 * @throws AgentServerError `bad_configuration` if pulumi is not installed or fails
 */
export async function readStackConfig(
  stack: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<StackConfig> {
  const args = ["config", "--json", "--show-secrets", "--non-interactive", `--stack=${stack}`];
  return parseConfig(await pulumi(args, stack, cwd, env, signal), stack);
}

function parseConfig(output: string, stack: string): StackConfig {
  let entries: z.infer<typeof configOutput>;
  try {
    entries = configOutput.parse(JSON.parse(output));
  } catch {
    // The cause would repeat the output, including secrets.
    throw configError(stack, "`pulumi config --json` did not print a valid configuration");
  }
  const all = Object.entries(entries);
  return {
    settings: Object.fromEntries(
      all
        .filter(([key]) => key.startsWith(prefix))
        .map(([key, { value }]) => [key.slice(prefix.length), value ?? ""]),
    ),
    secrets: all
      .filter(([, { secret }]) => secret)
      .flatMap(([, { value, objectValue }]) => stringsIn([value, objectValue])),
  };
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function pulumi(
  args: string[],
  stack: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const environment = { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" };
    const options = { cwd, env: environment, signal, maxBuffer: outputLimit };
    execFile("pulumi", args, options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      if (signal.aborted) return reject(signal.reason);
      if (error.code === "ENOENT")
        return reject(configError(stack, "pulumi is not on the PATH, or the folder does not exist"));
      reject(configError(stack, complaintIn(stderr)));
    });
  });
}

/** Returns Pulumi's error without its hints. */
export function complaintIn(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const complaint =
    lines.find((line) => line.startsWith("error: ")) ?? lines[0] ?? "pulumi reported no reason";
  return complaint.replace(/^error: /, "");
}

function configError(stack: string, reason: string): AgentServerError {
  return new AgentServerError(
    "bad_configuration",
    `The configuration of the stack "${stack}" could not be read: ${reason}. Run the command in the folder of the Pulumi project, or omit --stack and set AGENTSERVER_BASE_URL and the other variables.`,
  );
}
