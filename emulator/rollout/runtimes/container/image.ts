import { mkdir } from "node:fs/promises";
import { treeOwner } from "../../../process/process-tree";
import type { RolloutJob, RolloutReport } from "../../rollout";
import type { RolloutJournal } from "../../build/journal";
import { ask, type Engine, type EngineCall, findEngine } from "./engine";

/** An image on this machine, and its engine. */
export interface PulledImage {
  engine: Engine;
  image: string;
}

/** Returns the context for running the engine's commands for a revision. */
export async function engineCall(job: RolloutJob, signal: AbortSignal): Promise<EngineCall> {
  await mkdir(job.revisionFolder, { recursive: true });
  return { folder: job.revisionFolder, owner: treeOwner(job.dataFolder), signal };
}

/** Pulls the image of the revision. If that fails, uses an existing local image. */
export async function pullImage(
  job: RolloutJob,
  report: RolloutReport,
  journal: RolloutJournal,
  signal: AbortSignal,
): Promise<PulledImage> {
  const image = imageOf(job);
  const call = await engineCall(job, signal);
  const engine = await findEngine(image, call);
  report.runtime?.(`container image, run by ${engine.name}`);
  journal.log("build", "INFO", `Pulling ${image} with ${engine.name}.`);
  const line = (text: string) => journal.log("build", "INFO", text);
  const pulled = await ask(engine.command, ["pull", "--quiet", image], { ...call, line });
  if (pulled.code !== 0) {
    const { code } = await ask(engine.command, ["image", "inspect", "--format", "{{.Id}}", image], call);
    const why = pulled.lines.at(-1)?.trim().replace(/\.$/, "") ?? `exit code ${pulled.code}`;
    if (code !== 0) throw new Error(`The image ${image} cannot be pulled: ${why}.`);
    journal.log("build", "WARNING", `The image cannot be pulled (${why}); using the local copy.`);
  }
  return { engine, image };
}

/** Returns the result of an earlier `pullImage` for this revision, or `undefined` if the image no longer exists. */
export async function earlierImage(job: RolloutJob, signal: AbortSignal): Promise<PulledImage | undefined> {
  const image = imageOf(job);
  const call = await engineCall(job, signal);
  const engine = await findEngine(image, call);
  const { code } = await ask(engine.command, ["image", "inspect", "--format", "{{.Id}}", image], call);
  return code === 0 ? { engine, image } : undefined;
}

function imageOf({ sourceRevisionConfig }: RolloutJob): string {
  const image = sourceRevisionConfig.image_uri ?? "";
  if (/^[a-zA-Z0-9][\w.\-/:@]*$/.test(image)) return image;
  throw new Error(
    `source_revision_config.image_uri ${JSON.stringify(image)} is not an image reference such as registry.example/team/agent:1.`,
  );
}
