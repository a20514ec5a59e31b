import { z } from "zod";
import { AgentServerError } from "../provider/errors";
import { runPulumi } from "./run-pulumi";

/** Configuration of a stack. */
export interface StackConfig {
  /** Values in the `agentserver` namespace, keyed by name without the namespace. */
  settings: Record<string, string>;
  /** All secret values of the entire configuration, in plaintext. */
  secrets: string[];
}

const prefix = "agentserver:";

const configOutput = z.record(
  z.string(),
  z.object({
    value: z.string().optional(),
    objectValue: z.unknown().optional(),
    secret: z.boolean().optional(),
  }),
);

/**
 * Reads the configuration of a stack in the Pulumi project in `cwd`, using `pulumi config`.
 * @throws AgentServerError `bad_configuration` if pulumi is not installed or fails
 */
export async function readStackConfig(
  stack: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<StackConfig> {
  const args = ["config", "--json", "--show-secrets", "--non-interactive", `--stack=${stack}`];
  return parseConfig(
    await runPulumi(args, { cwd, env, signal }, (reason) => configError(stack, reason)),
    stack,
  );
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

function configError(stack: string, reason: string): AgentServerError {
  return new AgentServerError(
    "bad_configuration",
    `The configuration of the stack "${stack}" could not be read: ${reason}. Run the command in the folder of the Pulumi project, or omit --stack and set AGENTSERVER_BASE_URL and the other variables.`,
  );
}
