import { isDeepStrictEqual } from "node:util";
import type { DialectName } from "../../../emulator/index";
import type { DeploymentState } from "../../../provider/deployment/state";
import { canary } from "../../provider/world";
import type { DeploymentView, RevisionView } from "./plane-view";
import { commit, programIn, type Program } from "./program";

/** What the stack's state holds of the resource. */
export interface Kept {
  id: string;
  state: DeploymentState;
  /** Whether the last step on it failed. */
  incomplete: boolean;
}

/**
 * The model: how many revisions an `up` asks for. One for a deployment that is to be made; one for any number of
 * changes that need one, or for a last rollout that failed; none where the newest revision, made by an `up` that was
 * cut off or by somebody else, has all that is wanted already.
 */
export function asked(
  wanted: Program,
  kept: Kept | undefined,
  plane: DeploymentView[],
  dialect: DialectName,
): number {
  const before = kept && programIn(kept.state);
  if (before && (before.name !== wanted.name || before.deploymentType !== wanted.deploymentType)) return 1;
  const there = plane.find(({ id, name }) => (kept ? id === kept.id : name === wanted.name));
  if (!there) return kept ? 0 : 1;
  const newest = there.revisions[0]!;
  const revising: (keyof Program)[] = ["repoRef", "graphConfigPath", "trigger"];
  if (dialect === "langsmith") revising.push("cpu");
  if (dialect === "langsmith" || wanted.onSecretChange === "revise") revising.push("secret");
  const differs = (from: Partial<Program>) =>
    revising.some((field) => wanted[field] !== null && field in from && from[field] !== wanted[field]);
  // Without waiting, nobody looks what became of a rollout, until there is something else to be done.
  const looks = !kept || wanted.wait || kept.incomplete || !isDeepStrictEqual(before, wanted);
  const failed = (looks || kept.state.settledRevision) && lastRolloutFailed(kept?.state, there);
  if (!differs(before ?? recorded(there)) && !failed) return 0;
  const isNews = kept !== undefined && newest.id !== kept.state.latestRevisionId;
  return isNews && !hasFailed(newest) && !differs(recorded(there)) ? 0 : 1;
}

/** What a deployment's record tells of the program that it was made from. */
function recorded({ revisions, cpu, secret }: DeploymentView): Partial<Program> {
  const { repoRef, graphConfigPath } = revisions[0]!;
  return { repoRef, graphConfigPath, cpu: Number(cpu), secret: secret?.replace(`${canary}-`, "") ?? "" };
}

function lastRolloutFailed(state: DeploymentState | undefined, there: DeploymentView): boolean {
  if (state?.settledRevision) return hasFailed(state.settledRevision);
  const awaited = there.revisions.find(({ id }) => id === state?.latestRevisionId);
  return hasFailed(awaited ?? there.revisions[0]!);
}

/** Whether a revision's status is a failure. */
export function hasFailed({ status }: Pick<RevisionView, "status">): boolean {
  return status.includes("FAILED");
}

/**
 * The revision that a failed rollout asks for where it is to be gone back from: one, unless a newer one was there
 * before, or no earlier one was good whose source cannot have moved since.
 */
export function askedToGoBack(
  wanted: Program,
  { settledRevision }: DeploymentState,
  [before]: DeploymentView[],
  [after]: DeploymentView[],
  dialect: DialectName,
): number {
  const place = after?.revisions.findIndex(({ id }) => id === settledRevision?.id) ?? -1;
  if (wanted.onFailure !== "rollback" || place === -1) return 0;
  const newer = after!.revisions.slice(0, place);
  const good = after!.revisions.slice(place + 1).find(({ status }) => status === "DEPLOYED");
  const isFixed = good && (dialect === "langsmith" || good.repoRef === commit);
  return isFixed && !newer.some(({ id }) => before?.revisions.some((old) => old.id === id)) ? 1 : 0;
}
