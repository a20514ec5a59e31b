import { execFile } from "node:child_process";
import { z } from "zod";
import { AgentServerError } from "../provider/errors";

/** What a stack's configuration says to this tool. */
export interface StackConfig {
  /** The `agentserver` namespace, without its prefix. */
  settings: Record<string, string>;
  /** Every secret of the whole configuration, in clear. */
  secrets: string[];
}

const prefix = "agentserver:";
/** Largest configuration that is read, in bytes. */
const outputLimit = 16 * 1024 * 1024;

const configAnswer = z.record(
  z.string(),
  z.object({
    value: z.string().optional(),
    objectValue: z.unknown().optional(),
    secret: z.boolean().optional(),
  }),
);

/**
 * The configuration of a stack of the Pulumi project in `cwd`, as `pulumi config` reports it.
 * @throws AgentServerError `bad_configuration` when pulumi is not there or does not report
 */
export async function readStackConfig(
  stack: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<StackConfig> {
  const words = ["config", "--json", "--show-secrets", "--non-interactive", `--stack=${stack}`];
  return configFrom(await pulumi(words, stack, cwd, env, signal), stack);
}

function configFrom(output: string, stack: string): StackConfig {
  let entries: z.infer<typeof configAnswer>;
  try {
    entries = configAnswer.parse(JSON.parse(output));
  } catch {
    // The cause would repeat the output, secrets included.
    throw unreadable(stack, "`pulumi config --json` printed something other than a configuration");
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
      .flatMap(([, { value, objectValue }]) => textsIn([value, objectValue])),
  };
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function pulumi(
  words: string[],
  stack: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const environment = { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" };
    const options = { cwd, env: environment, signal, maxBuffer: outputLimit };
    execFile("pulumi", words, options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      if (signal.aborted) return reject(signal.reason);
      if (error.code === "ENOENT")
        return reject(unreadable(stack, "pulumi is not on the PATH, or the folder does not exist"));
      reject(unreadable(stack, complaintIn(stderr)));
    });
  });
}

/** Pulumi's own error, without its hints. */
export function complaintIn(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const complaint = lines.find((line) => line.startsWith("error: ")) ?? lines[0] ?? "pulumi gave no reason";
  return complaint.replace(/^error: /, "");
}

function unreadable(stack: string, reason: string): AgentServerError {
  return new AgentServerError(
    "bad_configuration",
    `The configuration of the stack "${stack}" could not be read: ${reason}. Run this in the folder of its Pulumi project, or leave out --stack and set AGENTSERVER_BASE_URL and the others.`,
  );
}
