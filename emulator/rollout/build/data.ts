import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { shortText } from "../../bounded-bytes";
import { internalApiHeaders } from "../internal-api-headers";
import type { InternalApiAddress, RolloutJob } from "../rollout";
import type { RolloutJournal } from "./journal";

/**
 * Returns the folder in which the agent server of a deployment keeps threads, runs, assistants and store items of all
 * revisions.
 */
function runtimeFolder(job: RolloutJob): string {
  return join(job.dataFolder, "runtime");
}

/**
 * Gives a started agent server the deployment's data. It was checked without data, so a failed rollout has not touched
 * any, and the previous agent could keep writing.
 */
export async function takeOverData(
  internalApi: InternalApiAddress,
  job: RolloutJob,
  journal: RolloutJournal,
): Promise<void> {
  const folder = runtimeFolder(job);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const answer = await fetch(`${internalApi.origin}/take-over`, {
    method: "POST",
    headers: internalApiHeaders(internalApi),
    body: JSON.stringify({ folder }),
  });
  const taken = JSON.parse(await shortText(answer.body)) as {
    detail?: string;
    cut_runs: number;
    resumed_runs?: number;
  };
  const { detail, cut_runs: cut, resumed_runs: resumed = 0 } = taken;
  if (!answer.ok) throw new Error(`The agent server cannot take the deployment's data over: ${detail}.`);
  if (resumed > 0)
    journal.log(
      "deploy",
      "WARNING",
      `${resumed} run(s) that the last stop of the agent cut off start again.`,
    );
  if (cut > 0)
    journal.log("deploy", "WARNING", `Ended ${cut} run(s) that the last stop of the agent cut off.`);
}
