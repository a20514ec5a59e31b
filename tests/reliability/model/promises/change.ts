import { isDeepStrictEqual } from "node:util";
import { counts } from "../counts";
import type { ExpectedChange, OwnedSettings } from "../expected/expected";
import { rollbackTarget } from "../expected/rollback";
import { ownedSettings } from "../expected/settings";
import type { DeploymentView } from "../world/plane-view";
import { codeOf, failureOf, isKept, type Action } from "./action";
import { mayFail } from "./exceptions";
import { promise } from "./promise";

/** A change and its result on the control plane. */
export interface Change {
  action: Action;
  expected: ExpectedChange;
  there: DeploymentView;
  /** ID of the revision that the change created. */
  made?: string;
  /** ID of the revision that a subsequent rollback created. */
  rolledBack?: string;
}

/** Returns the result of a change, or `undefined` if there is no deployment. */
export function changeOf(action: Action, expected: ExpectedChange): Change | undefined {
  const { id = action.news.deployments[0] ?? expected.id, after } = action;
  const there = after.find((view) => view.id === id);
  if (!there) return undefined;
  const [first, second] = action.news.revisions;
  return expected.revision
    ? { action, expected, there, made: first, rolledBack: second }
    : { action, expected, there, rolledBack: first };
}

/** Checks that the control plane has exactly what was requested. */
export function requireChange(whole: Change): void {
  const { action, expected, there, made, rolledBack } = whole;
  const { news, ledger, after } = action;
  const change = Number(expected.revision !== undefined);
  const asked = change + Number(rollbackOf(whole) !== undefined);
  const count = news.revisions.length;
  // A rollback is impossible if the control plane is down, or if another actor creates a revision first.
  const least = action.meanwhile === "push" || mayFail(action.process, action.fault) ? change : asked;
  countRevisions(count, asked);
  promise(count <= asked && count >= least, `${count} revisions were made, not ${asked}`);
  promise(
    news.deployments.length === Number(expected.id === undefined),
    `${news.deployments.length} deployments were made`,
  );
  promise(!expected.deletes || !after.some(({ id }) => id === expected.deletes), "what is replaced is there");
  requireSettings(expected.settings, ownedSettings(there, ledger));
  requireSource(there, made, expected.revision);
  requireSource(there, rolledBack, rollbackOf(whole)?.source);
}

/**
 * Checks that the control plane has at most what was requested, because an interrupted command may have applied only a
 * part.
 */
export function requireNoMore(action: Action, expected: ExpectedChange): void {
  const { news, program } = action;
  const most = Math.max(
    1,
    Number(expected.revision !== undefined) + Number(program.onFailure === "rollback"),
  );
  const count = news.revisions.length;
  countRevisions(count, Math.min(count, most));
  promise(count <= most, `${count} revisions were made`);
  promise(news.deployments.length <= Number(expected.id === undefined), "another deployment was made");
}

function countRevisions(made: number, asked: number): void {
  counts["revisions requested"] += asked;
  counts["extra revisions"] += Math.max(0, made - asked);
}

/** Returns the revision of a rollback. */
function rollbackOf({ action, expected, there, made }: Change) {
  const awaited = made ? { id: made, isFound: false } : expected.awaited;
  const code = codeOf(failureOf(action));
  const hasFailed = isKept(action) && (code === "rollout_failed" || code === "verification_failed");
  if (action.program.onFailure !== "rollback" || !hasFailed || !awaited || awaited.isFound) return undefined;
  const newer = there.revisions.slice(
    0,
    there.revisions.findIndex(({ id }) => id === awaited.id),
  );
  // A newer foreign revision is kept.
  if (newer.some(({ id }) => action.ledger.makerOf(id) !== action.resource && wasBefore(action, id)))
    return undefined;
  return rollbackTarget(action, expected.known, there, awaited.id);
}

function wasBefore({ before }: Action, revision: string): boolean {
  return before.some(({ revisions }) => revisions.some(({ id }) => id === revision));
}

function requireSettings(wanted: OwnedSettings, found: OwnedSettings): void {
  for (const field of Object.keys(wanted) as (keyof OwnedSettings)[])
    promise(
      isDeepStrictEqual(found[field], wanted[field]),
      `${field} is ${found[field]} on the control plane, not ${wanted[field]}`,
    );
}

function requireSource(
  { revisions }: DeploymentView,
  revision: string | undefined,
  wanted: { repoRef: string; graphConfigPath: string } | undefined,
): void {
  const found = revisions.find(({ id }) => id === revision)?.source;
  if (!found || !wanted) return;
  promise(
    found.repoRef === wanted.repoRef && found.graphConfigPath === wanted.graphConfigPath,
    `a revision was made of ${found.repoRef} ${found.graphConfigPath}, not ${wanted.repoRef} ${wanted.graphConfigPath}`,
  );
}
