import { isDeepStrictEqual } from "node:util";
import type { DeploymentRecord, RevisionRecord } from "../../control-plane/wire";
import { AgentServerError, asError } from "../../errors";
import type { SourceRevisionConfigInputs } from "../inputs";
import { fromWireSourceRevisionConfig } from "../mapping";
import { settle } from "../rollout/settle";
import { lookPause, mayHaveBeenTaken, writeTries } from "./lost-reply";
import type { Operation } from "./operation";
import { revisionAfter, writePatch } from "./patch";
import { findLive } from "./presence";

/** Shortest time that a rollback gets when the timeout is nearly over, in milliseconds. */
const leastMs = 300_000;

/** How a rollback ended. */
export type Rollback =
  /** A revision of the last good source was made; `status` is the last one seen of it. */
  | { revisionId: string; status: string; deployed?: RevisionRecord; fromRevisionId: string }
  /** None was made, and why. */
  | { impossible: string };

/**
 * Makes the source of the last good revision the newest again and waits for it. Fails never: what went wrong is told
 * with the failure that led here.
 * @param failedRevisionId the newest revision, which is not to serve
 * @param bad other revisions that are DEPLOYED and not to be gone back to
 */
export async function rollBack(
  failed: Operation,
  deploymentId: string,
  failedRevisionId: string,
  bad: readonly string[],
): Promise<Rollback> {
  const op = failed.until(Math.max(failed.deadline, failed.clock.now() + leastMs));
  try {
    const record = await findLive(op, deploymentId);
    if (!record) return { impossible: "the deployment is not there any more" };
    if (record.latest_revision_id !== failedRevisionId) return overtakenBy(record.latest_revision_id);
    const revisions = await op.client.listRevisions(deploymentId, op.signal);
    const avoided = [failedRevisionId, ...bad];
    const good = revisions.find(({ id, status }) => status === "DEPLOYED" && !avoided.includes(id));
    if (!good) return { impossible: "no earlier revision of it was ever good" };
    op.status.show(`rolls back to the source of revision ${good.id}`, "");
    const made = await remake(op, record, good);
    if ("impossible" in made) return made;
    return { ...(await follow(op, deploymentId, made.revisionId)), fromRevisionId: good.id };
  } catch (error) {
    if (op.signal?.aborted) throw error;
    return { impossible: asError(error).message };
  }
}

type Made = { revisionId: string } | { impossible: string };

async function remake(op: Operation, record: DeploymentRecord, good: RevisionRecord): Promise<Made> {
  const redeployed = op.dialect.table.redeploys ? await redeploy(op, record, good) : undefined;
  if (redeployed) return redeployed;
  const source = fixedSourceOf(good);
  if (typeof source === "string") return { impossible: source };
  const { revisionId, unseen } = await writePatch(op, record, { sourceRevisionConfig: source }, true);
  if (revisionId === undefined) throw unseen ?? new Error("the revision was not told");
  return { revisionId };
}

/** Nothing where the server cannot redeploy that revision: then its source can be sent. */
async function redeploy(
  op: Operation,
  before: DeploymentRecord,
  good: RevisionRecord,
): Promise<Made | undefined> {
  for (let tries = 1; ; tries += 1) {
    try {
      const told = (await op.client.redeploy(before.id, good.id, op.signal)).latest_revision_id;
      const made = told && told !== before.latest_revision_id ? told : undefined;
      return made ? { revisionId: made } : seen(await revisionAfter(op, before));
    } catch (error) {
      if (AgentServerError.is(error) && [400, 404, 405].includes(error.facts.status ?? 0)) return undefined;
      if (!mayHaveBeenTaken(error)) throw error;
      op.log("warning", `the reply to the rollback was lost (${error.message}); looks what is there`);
      await op.clock.sleep(lookPause(error), op.signal);
      const newer = await newerRevisions(op, before);
      const made = newer.findLast((revision) => isDeepStrictEqual(sourceOf(revision), sourceOf(good)));
      if (made) return { revisionId: made.id };
      if (newer[0]) return overtakenBy(newer[0].id);
      if (tries >= writeTries) throw error;
    }
  }
}

async function newerRevisions(op: Operation, before: DeploymentRecord): Promise<RevisionRecord[]> {
  const revisions = await op.client.listRevisions(before.id, op.signal);
  const known = revisions.findIndex(({ id }) => id === before.latest_revision_id);
  return revisions.slice(0, Math.max(known, 0));
}

function overtakenBy(revisionId: string | null | undefined): { impossible: string } {
  return { impossible: `somebody else made the newer revision ${revisionId} meanwhile` };
}

/** Without the image that a repository was built into: each revision has its own. */
function sourceOf({ source_revision_config: wire }: RevisionRecord): SourceRevisionConfigInputs {
  const { repoRef, imageUri, ...rest } = fromWireSourceRevisionConfig(wire);
  return repoRef == null ? { ...rest, imageUri } : { ...rest, repoRef };
}

function seen({ revisionId, unseen }: { revisionId?: string; unseen?: Error }): Made {
  return revisionId === undefined
    ? { impossible: unseen?.message ?? "the revision was not told" }
    : { revisionId };
}

/** The source of a revision in a form that cannot have moved since; else why there is none. */
export function fixedSourceOf(revision: RevisionRecord): SourceRevisionConfigInputs | string {
  const wire = revision.source_revision_config;
  const { repoRef, graphConfigPath, imageUri } = fromWireSourceRevisionConfig(wire);
  const commit = wire?.repo_commit_sha ?? repoRef;
  if (commit !== null && commit !== undefined) {
    if (/^[0-9a-f]{40}$/.test(commit)) return given({ repoRef: commit, graphConfigPath });
    return `the control plane does not tell the commit that "${commit}" was when revision ${revision.id} was built, and it may have moved since`;
  }
  if (imageUri === null || imageUri === undefined)
    return `the control plane does not tell what revision ${revision.id} was built from`;
  if (/@sha256:[0-9a-f]{64}$/.test(imageUri)) return given({ graphConfigPath, imageUri });
  return /:(?!latest$)[\w.-]+$/.test(imageUri)
    ? given({ graphConfigPath, imageUri })
    : `image ${imageUri} of revision ${revision.id} has no fixed tag or digest`;
}

function given(source: SourceRevisionConfigInputs): SourceRevisionConfigInputs {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined));
}

async function follow(op: Operation, deploymentId: string, revisionId: string) {
  const { client, clock, dialect, status, signal } = op;
  const timeoutMs = op.deadline - clock.now();
  try {
    const end = await settle({ client, clock, dialect, status, signal, deploymentId, revisionId, timeoutMs });
    const deployed = end.outcome === "deployed" ? end.revision : undefined;
    return { revisionId, status: end.revision?.status ?? "unknown", deployed };
  } catch (error) {
    if (signal?.aborted) throw error;
    // The revision was made, so it has to be known.
    return { revisionId, status: `unknown (${asError(error).message})` };
  }
}
