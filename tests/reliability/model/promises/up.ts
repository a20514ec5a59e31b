import { isDeepStrictEqual } from "node:util";
import { counts } from "../counts";
import type { Expected, ExpectedChange } from "../expected/expected";
import { ownedSettings } from "../expected/settings";
import { keptAfter } from "../record/after";
import type { Kept } from "../record/kept";
import { changeOf, requireChange, requireNoMore } from "./change";
import { codeOf, failureOf, isDisturbed, isKept, type Deed } from "./deed";
import { requireEnding } from "./ending";
import { isExcused } from "./excuses";
import { promise } from "./promise";
import { requireUntouched } from "./untouched";

/** Judges a resource's part of an `up`. @returns what the stack must know of the resource after it */
export function judgeUp(deed: Deed): Kept | undefined {
  const failure = failureOf(deed);
  requireUntouched(deed, false, deed.meanwhile === "delete" ? deed.before.map(({ id }) => id) : []);
  // What the control plane has done is kept by whoever has heard of it; else it is found the next time.
  const kept = deed.id === undefined ? undefined : deed.kept;
  if (deed.expected.kind === "nothing") {
    promise(!failure || isExcused(deed, failure), `up failed: ${failure?.message}`);
    requireNothing(deed, undefined);
    return kept;
  }
  if (deed.expected.kind === "refused" && !isDisturbed(deed)) {
    const { code, deletes } = deed.expected;
    const isSaid = failure && (codeOf(failure) === code || isExcused(deed, failure));
    promise(isSaid ?? false, `up was not refused (${code}), but: ${failure?.message ?? deed.up.step}`);
    requireNothing(deed, deletes);
    counts["refused before anything was changed"] += 1;
    return kept;
  }
  const expected = isDisturbed(deed) ? asItCame(deed) : deed.expected;
  if (expected.kind !== "change") return kept;
  if (!isKept(deed)) {
    promise(isExcused(deed, failure!), `up failed: ${failure!.message}`);
    requireNoMore(deed, expected);
    return kept;
  }
  return judgeResult(deed, expected);
}

function judgeResult(deed: Deed, expected: ExpectedChange): Kept {
  const failure = failureOf(deed);
  promise(!failure || codeOf(failure) !== undefined, `up failed: ${failure?.message}`);
  const change = changeOf(deed, expected);
  promise(change !== undefined || deed.meanwhile === "delete", "an up has made nothing");
  if (!change) return goneMeanwhile(deed);
  requireChange(change);
  requireEnding(change);
  const kept = keptAfter(change);
  const hadUrl = deed.kept?.id === kept.id && deed.kept.hasUrl;
  promise(kept.hasUrl || !hadUrl, "the URL of the deployment was forgotten");
  count(deed, expected);
  return kept;
}

/** Nothing is written but, at most, the end of a deployment that was to be replaced. */
function requireNothing({ before, after, news, ledger }: Deed, deletes: string | undefined): void {
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

/** What an `up` has done whose circumstances changed under its hands. */
function asItCame({ id, after, news, ledger, kept }: Deed): Expected {
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

/** Somebody else deleted the deployment; all that the stack has of it is an id. */
function goneMeanwhile(deed: Deed): Kept {
  const { id = "", program, url } = deed;
  const incomplete = failureOf(deed) !== undefined;
  return { id, accepted: program, newest: "", unverified: [], incomplete, hasUrl: url !== undefined };
}

function count(deed: Deed, expected: ExpectedChange): void {
  const code = codeOf(failureOf(deed));
  counts["rollouts failed"] += Number(code === "rollout_failed");
  counts["verifications failed"] += Number(code === "verification_failed");
  counts.adoptions += Number(!deed.kept && expected.id !== undefined);
  counts.rollbacks += deed.news.revisions.length - Number(expected.revision !== undefined);
}
