import { randomUUID } from "node:crypto";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { createRealRunner } from "../emulator/rollout/real";
import type { RolloutJob, RunningAgent } from "../emulator/rollout/rollout";

/**
 * Rolls out the agent in a folder once, in the same way as the local control plane, and waits until the agent is
 * healthy.
 * @param folder folder for generated files
 */
export async function rollOutLocally(
  agentFolder: string,
  folder: string,
  onStatus: (status: string) => void = () => {},
): Promise<RunningAgent> {
  const revisionId = randomUUID();
  const uploadFolder = join(folder, `${revisionId}-upload`);
  cpSync(agentFolder, uploadFolder, { recursive: true });
  const job: RolloutJob = {
    deploymentId: "bench",
    revisionId,
    deploymentName: "bench",
    source: "internal_source",
    sourceConfig: {},
    sourceRevisionConfig: {},
    secrets: [{ name: "GREETING", value: "Hello" }],
    uploadFolder,
    dataFolder: join(folder, "data"),
    revisionFolder: join(folder, revisionId),
  };
  const report = { status: onStatus, log: () => undefined, resolvedCommit: () => undefined };
  return (await createRealRunner().roll(job, report, new AbortController().signal))!;
}
