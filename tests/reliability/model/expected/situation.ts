import { dialectTables, type DeploymentRecord, ownerSecretName } from "../../../../wire";
import { limitedAnswer, type ServerLimits } from "../../../provider/server-limits";
import { isMask } from "../record/accepted";
import type { Kept, Standing } from "../record/kept";
import type { Ledger, Maker } from "../record/ledger";
import type { Program } from "../sequence/program";
import type { Server } from "../sequence/server";
import type { DeploymentView, RevisionView } from "../world/plane-view";
import { secretIn } from "../world/plane-view";
import type { Shown } from "../world/shown";

/** Situation of a resource when an `up` starts to process it. */
export interface Situation {
  resource: Maker;
  program: Program;
  kept: Kept | undefined;
  server: Server;
  limits: ServerLimits;
  ledger: Ledger;
  /** Deployments on the control plane before and after the `up`. */
  before: DeploymentView[];
  after: DeploymentView[];
  /** Records that the provider received. */
  shown: Shown;
}

/**
 * Returns the first record of a deployment that the control plane returned to the provider, or the record that it would
 * have returned.
 */
export function recordShown({ shown, limits, kept }: Situation, view: DeploymentView): DeploymentRecord {
  const record = (kept?.id === view.id ? shown.deployments : shown.found).get(view.id);
  return record ?? (limitedAnswer(limits, view.record) as DeploymentRecord);
}

/** Returns the status of a revision at the time of the first request. */
export function standingShown(situation: Situation, id: string): Standing | "superseded" | "pruned" {
  const { shown, limits, server } = situation;
  const seen = shown.revisions.get(id);
  if (seen === "pruned" || (!seen && limits.pruned?.has(id))) return "pruned";
  return standingIn(server, seen?.status ?? revisionOf(situation, id)?.status ?? "");
}

/** Classifies the status of a rollout. */
export function standingIn({ dialect }: Server, status: string): Standing | "superseded" {
  if (status === "DEPLOYED") return "deployed";
  if (status.includes("FAILED")) return "failed";
  return dialectTables[dialect].supersededStatuses.includes(status) ? "superseded" : "unsettled";
}

/** Returns the revision with this ID as it was before the `up`, or as it is after the `up` if it is new. */
export function revisionOf({ before, after }: Situation, id: string): RevisionView | undefined {
  return [...before, ...after].flatMap(({ revisions }) => revisions).find((revision) => revision.id === id);
}

/** Returns the resource that owns the deployment according to a record. */
export function ownerShown(
  { ledger }: Pick<Situation, "ledger">,
  record: DeploymentRecord,
): Maker | undefined {
  const tag = secretIn(record, ownerSecretName);
  return tag === undefined || isMask(tag) ? undefined : ledger.ownerOfTag(tag);
}

/** True if a record reports the values of all secrets. */
export function showsSecrets({ secrets }: DeploymentRecord): boolean {
  return Boolean(secrets?.every(({ value }) => value != null && !isMask(value)));
}
