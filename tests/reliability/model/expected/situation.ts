import { dialectTables, type DeploymentRecord } from "../../../../wire";
import { ownerSecretName } from "../../../../provider/deployment/inputs/environment";
import { limitedAnswer, type ServerLimits } from "../../../provider/server-limits";
import { isMask } from "../record/accepted";
import type { Kept, Standing } from "../record/kept";
import type { Ledger, Maker } from "../record/ledger";
import type { Program } from "../sequence/program";
import type { Server } from "../sequence/server";
import type { DeploymentView, RevisionView } from "../world/plane-view";
import { secretIn } from "../world/plane-view";
import type { Shown } from "../world/shown";

/** Where a resource stands when an `up` comes to it. */
export interface Situation {
  resource: Maker;
  program: Program;
  kept: Kept | undefined;
  server: Server;
  limits: ServerLimits;
  ledger: Ledger;
  /** The control plane before and after it. */
  before: DeploymentView[];
  after: DeploymentView[];
  /** What the provider was shown in it. */
  shown: Shown;
}

/** The record of a deployment that decides: the one that was shown first, or would have been. */
export function recordShown({ shown, limits, kept }: Situation, view: DeploymentView): DeploymentRecord {
  const record = (kept?.id === view.id ? shown.deployments : shown.found).get(view.id);
  return record ?? (limitedAnswer(limits, view.record) as DeploymentRecord);
}

/** How a revision stood at the first look at it. */
export function standingShown(situation: Situation, id: string): Standing | "superseded" | "pruned" {
  const { shown, limits, server } = situation;
  const seen = shown.revisions.get(id);
  if (seen === "pruned" || (!seen && limits.pruned?.has(id))) return "pruned";
  return standingIn(server, seen?.status ?? revisionOf(situation, id)?.status ?? "");
}

/** What a status says about a rollout. */
export function standingIn({ dialect }: Server, status: string): Standing | "superseded" {
  if (status === "DEPLOYED") return "deployed";
  if (status.includes("FAILED")) return "failed";
  return dialectTables[dialect].supersededStatuses.includes(status) ? "superseded" : "unsettled";
}

/** A revision by its id, as it was before or, of those that are new, after. */
export function revisionOf({ before, after }: Situation, id: string): RevisionView | undefined {
  return [...before, ...after].flatMap(({ revisions }) => revisions).find((revision) => revision.id === id);
}

/** The resource that a record shows to own the deployment. */
export function ownerShown(
  { ledger }: Pick<Situation, "ledger">,
  record: DeploymentRecord,
): Maker | undefined {
  const tag = secretIn(record, ownerSecretName);
  return tag === undefined || isMask(tag) ? undefined : ledger.ownerOfTag(tag);
}

/** Whether a record shows the values of all secrets. */
export function showsSecrets({ secrets }: DeploymentRecord): boolean {
  return Boolean(secrets?.every(({ value }) => value != null && !isMask(value)));
}
