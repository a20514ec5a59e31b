import { execFile } from "node:child_process";
import { AgentServerError } from "../../provider/errors";
import { redactor } from "../../provider/text/redact";
import type { CommandProcess } from "../command-process";
import { complaintIn } from "../run-pulumi";
import type { ExportedSecret } from "./model";

/** Pulumi stack whose configuration receives the secrets. */
export interface SecretsTarget {
  /** Project folder. */
  folder: string;
  stack: string;
  /** True to create the stack if it does not exist. */
  create: boolean;
}

/**
 * Sets each secret in the stack's configuration with `pulumi config set --secret`, which reads the value from standard
 * input and encrypts it.
 * @throws AgentServerError `bad_configuration` if pulumi is not installed or fails
 */
export async function setSecrets(
  { env, signal }: Pick<CommandProcess, "env" | "signal">,
  { folder, stack, create }: SecretsTarget,
  secrets: readonly ExportedSecret[],
): Promise<void> {
  const redact = redactor(secrets.map(({ value }) => value));
  const pulumi = (args: string[], input = "") =>
    new Promise<void>((resolve, reject) => {
      const options = { cwd: folder, env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" }, signal };
      const child = execFile("pulumi", args, options, (error, _, stderr) => {
        if (!error) resolve();
        else if (signal.aborted) reject(signal.reason);
        else reject(secretsError(stack, error.code === "ENOENT" ? missing : redact(complaintIn(stderr))));
      });
      // Errors are reported when the process exits.
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(input);
    });
  const target = ["--non-interactive", `--stack=${stack}`];
  if (create) await pulumi(["stack", "select", "--create", ...target]);
  for (const { key, value } of secrets)
    // Pulumi removes one trailing line break.
    await pulumi(["config", "set", "--secret", ...target, "--", key], `${value}\n`);
}

const missing = "pulumi is not on the PATH, or the folder does not exist";

function secretsError(stack: string, reason: string): AgentServerError {
  return new AgentServerError(
    "bad_configuration",
    `The files were written, but not all secrets could be set in the stack "${stack}": ${reason}. Set them with the commands in README.md, or run the command again with --force.`,
  );
}
