import { isDeepStrictEqual } from "node:util";
import { counts } from "../counts";
import type { Expected, ExpectedChange } from "../expected/expected";
import { ownedSettings } from "../expected/settings";
import { keptAfter } from "../record/after";
import type { Kept } from "../record/kept";
import { changeOf, requireChange, requireNoMore } from "./change";
import { codeOf, failureOf, isDisturbed, isKept, type Action } from "./action";
import { requireEnding } from "./ending";
import { isException } from "./exceptions";
import { promise } from "./promise";
import { requireUntouched } from "./untouched";

/** Checks the part of an `up` that concerns one resource. @returns the expected state of the resource */
export function judgeUp(action: Action): Kept | undefined {
  const failure = failureOf(action);
  requireUntouched(action, false, action.meanwhile === "delete" ? action.before.map(({ id }) => id) : []);
  // A result that the provider received is in the state; otherwise, the next `up` finds it.
  const kept = action.id === undefined ? undefined : action.kept;
  if (action.expected.kind === "nothing") {
    promise(!failure || isException(action, failure), `up failed: ${failure?.message}`);
    requireNothing(action, undefined);
    return kept;
  }
  if (action.expected.kind === "refused" && !isDisturbed(action)) {
    const { code, deletes } = action.expected;
    const isSaid = failure && (codeOf(failure) === code || isException(action, failure));
    promise(isSaid ?? false, `up was not refused (${code}), but: ${failure?.message ?? action.up.step}`);
    requireNothing(action, deletes);
    counts["refused updates"] += 1;
    return kept;
  }
  const expected = isDisturbed(action) ? asItCame(action) : action.expected;
  if (expected.kind !== "change") return kept;
  if (!isKept(action)) {
    promise(isException(action, failure!), `up failed: ${failure!.message}`);
    requireNoMore(action, expected);
    return kept;
  }
  return judgeResult(action, expected);
}

function judgeResult(action: Action, expected: ExpectedChange): Kept {
  const failure = failureOf(action);
  promise(!failure || codeOf(failure) !== undefined, `up failed: ${failure?.message}`);
  const change = changeOf(action, expected);
  promise(change !== undefined || action.meanwhile === "delete", "an up has made nothing");
  if (!change) return goneMeanwhile(action);
  requireChange(change);
  requireEnding(change);
  const kept = keptAfter(change);
  const hadUrl = action.kept?.id === kept.id && action.kept.hasUrl;
  promise(kept.hasUrl || !hadUrl, "the URL of the deployment was forgotten");
  count(action, expected);
  return kept;
}

/** Checks that nothing is written, except for the deletion of a replaced deployment. */
function requireNothing({ before, after, news, ledger }: Action, deletes: string | undefined): void {
  promise(
    news.revisions.length + news.deployments.length === 0,
    "an up that asks for nothing made something",
  );
  for (const view of before) {
    const now = after.find(({ id }) => id === view.id);
    if (!now || view.id === deletes) continue;
    const isSame = isDeepStrictEqual(ownedSettings(now, ledger), ownedSettings(view, ledger));
    promise(isSame, "an up that asks for nothing changed something");
  }
}

/** Returns the observed changes as the expected ones, for an `up` during which another actor changed the deployment. */
function asItCame({ id, after, news, ledger, kept }: Action): Expected {
  const there =
    after.find((view) => view.id === id) ?? after.find((view) => news.deployments.includes(view.id));
  if (!there) return { kind: "nothing" };
  const made = there.revisions.find((revision) => revision.id === news.revisions[0]);
  const { ended, good, unverified = [], awaited } = kept ?? {};
  return {
    kind: "change",
    ...(!news.deployments.includes(there.id) && { id: there.id }),
    settings: ownedSettings(there, ledger),
    ...(made
      ? { revision: made.source }
      : { awaited: awaited ?? { id: there.revisions[0]!.id, isFound: true } }),
    found: there.revisions[0]!.id,
    known: { ended, good, unverified },
  };
}

/**
 * Returns the expected state after an `up` during which another actor deleted the deployment. The stack has only its
 * ID.
 */
function goneMeanwhile(action: Action): Kept {
  const { id = "", program, url } = action;
  const incomplete = failureOf(action) !== undefined;
  return { id, accepted: program, newest: "", unverified: [], incomplete, hasUrl: url !== undefined };
}

function count(action: Action, expected: ExpectedChange): void {
  const code = codeOf(failureOf(action));
  counts["failed rollouts"] += Number(code === "rollout_failed");
  counts["failed verifications"] += Number(code === "verification_failed");
  counts.adoptions += Number(!action.kept && expected.id !== undefined);
  counts.rollbacks += action.news.revisions.length - Number(expected.revision !== undefined);
}
