import { spawn } from "node:child_process";
import { AgentServerError } from "../../provider/errors";
import { complaintIn } from "../run-pulumi";
import type { Preview } from "./preview/preview";
import { readPreview } from "./preview/read";

/** Options for running a preview. */
export interface PreviewRun {
  stack: string;
  /** The project's folder. */
  cwd: string;
  policyPacks: readonly string[];
  /** Files with the configuration of each policy pack, in the order of the packs. */
  policyPackConfigs: readonly string[];
  /** True to check for drift first. */
  refresh: boolean;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/**
 * Runs `pulumi preview` and reads its event stream. Unlike the digest, the event stream reports policies and drift. It
 * also contains secrets in the engine's debug messages, so only the parsed parts are kept or displayed.
 * @throws AgentServerError `bad_configuration` if pulumi is not installed or returns no preview
 */
export async function runPreview(run: PreviewRun): Promise<Preview> {
  const { stdout, stderr, code } = await pulumi(run);
  const preview = previewIn(stdout, code);
  if (!preview)
    throw new AgentServerError(
      "bad_configuration",
      `\`pulumi preview\` of the stack "${run.stack}" returned nothing to review (exit code ${code}): ${complaintIn(stderr)}`,
    );
  if (code === 0 || preview.failed) return preview;
  return {
    ...preview,
    failed: true,
    errors: [{ message: `pulumi exited with code ${code}: ${complaintIn(stderr)}` }],
  };
}

/**
 * Returns the preview, or `undefined` if the engine exited before it reported anything, for example because a policy
 * pack was missing.
 */
function previewIn(stdout: string, code: number | null): Preview | undefined {
  try {
    return readPreview(stdout);
  } catch (error) {
    if (code === 0 && stdout.trim() !== "") throw error;
    return undefined;
  }
}

function pulumi(run: PreviewRun): Promise<{ stdout: string; stderr: string; code: number | null }> {
  const { stack, cwd, policyPacks, policyPackConfigs, refresh, signal } = run;
  const words = [
    "preview",
    "--json",
    "--non-interactive",
    "--color=never",
    `--stack=${stack}`,
    ...policyPacks.map((folder) => `--policy-pack=${folder}`),
    ...policyPackConfigs.map((file) => `--policy-pack-config=${file}`),
    ...(refresh ? ["--refresh"] : []),
  ];
  const env = { ...run.env, PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true", PULUMI_SKIP_UPDATE_CHECK: "true" };
  return new Promise((resolve, reject) => {
    const child = spawn("pulumi", words, { cwd, env, signal, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.on("error", (error: NodeJS.ErrnoException) => {
      if (signal.aborted) return reject(signal.reason as Error);
      reject(error.code === "ENOENT" ? noPulumi(cwd) : error);
    });
    child.on("close", (code) => resolve({ stdout, stderr, code }));
  });
}

function noPulumi(cwd: string): AgentServerError {
  return new AgentServerError(
    "bad_configuration",
    `pulumi is not on the PATH, or the folder ${cwd} does not exist. Install Pulumi, or pass the output of \`pulumi preview --json\` as a file.`,
  );
}
