import { execFile } from "node:child_process";
import { AgentServerError } from "../../provider/errors";
import { redactor } from "../../provider/text/redact";
import type { CommandProcess } from "../command-process";
import { complaintIn } from "../stack-config";
import type { ExportedSecret } from "./exported-deployment";

/** The Pulumi stack that is given the secrets. */
export interface SecretsPlace {
  /** Folder of the project. */
  folder: string;
  stack: string;
  /** Whether the stack is made if it is not there. */
  create: boolean;
}

/**
 * Sets each secret in the stack's configuration, with `pulumi config set --secret`. A value goes through the standard
 * input of that command, and is encrypted by it.
 * @throws AgentServerError `bad_configuration` when pulumi is not there or refuses
 */
export async function setSecrets(
  { env, signal }: Pick<CommandProcess, "env" | "signal">,
  { folder, stack, create }: SecretsPlace,
  secrets: readonly ExportedSecret[],
): Promise<void> {
  const redact = redactor(secrets.map(({ value }) => value));
  const pulumi = (words: string[], input = "") =>
    new Promise<void>((resolve, reject) => {
      const options = { cwd: folder, env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" }, signal };
      const child = execFile("pulumi", words, options, (error, _, stderr) => {
        if (!error) resolve();
        else if (signal.aborted) reject(signal.reason);
        else reject(refused(stack, error.code === "ENOENT" ? missing : redact(complaintIn(stderr))));
      });
      // What it has to say is reported when it ends.
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(input);
    });
  const place = ["--non-interactive", `--stack=${stack}`];
  if (create) await pulumi(["stack", "select", "--create", ...place]);
  for (const { key, value } of secrets)
    // Pulumi takes one line break off the end.
    await pulumi(["config", "set", "--secret", ...place, "--", key], `${value}\n`);
}

const missing = "pulumi is not on the PATH, or the folder does not exist";

function refused(stack: string, reason: string): AgentServerError {
  return new AgentServerError(
    "bad_configuration",
    `The files are written, but not all secrets could be set in the stack "${stack}": ${reason}. Set them with the commands in README.md, or run this again with --force.`,
  );
}
