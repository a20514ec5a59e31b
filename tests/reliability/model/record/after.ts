import { asked } from "../expected/asked";
import { recordShown, standingShown, type Situation } from "../expected/situation";
import type { Change } from "../promises/change";
import { failureOf } from "../promises/action";
import { awaitedIn, endingOf } from "../promises/ending";
import type { Program } from "../sequence/program";
import { asShown } from "./accepted";
import type { Kept } from "./kept";

/** Returns the expected state of the stack after a change whose result was stored. */
export function keptAfter(change: Change): Kept {
  const { action, expected, there, made, rolledBack } = change;
  const { program, url } = action;
  const { ended, good, unverified } = expected.known;
  const awaited = awaitedIn(made, expected.awaited);
  const base = {
    id: there.id,
    accepted: program,
    newest: rolledBack ?? made ?? expected.found ?? awaited?.id ?? "",
    incomplete: failureOf(action) !== undefined,
    hasUrl: url !== undefined,
  };
  if (!awaited) return { ...base, ended, good, unverified };
  const how = endingOf(change);
  const others = unverified.filter((id) => id !== awaited.id);
  const isChecked = Boolean(program.verify) && !awaited.isFound;
  // A DEPLOYED revision that requires verification is good once it is verified.
  const isUnverified = how === "not verified" || (isChecked && how !== "good" && how !== "failed");
  const back = there.revisions.find(({ id }) => id === rolledBack);
  const known = { ...base, unverified: isUnverified ? [...others, awaited.id] : others };
  if (how === undefined) return { ...known, awaited, good };
  if (how === "good" || how === "superseded")
    return { ...known, ended: { ...awaited, how }, good: how === "good" ? awaited.id : good };
  const isBack = back?.status === "DEPLOYED";
  return { ...known, ended: { ...awaited, how: "failed" }, good: isBack ? back.id : good };
}

/** Returns the expected state after a `refresh`, or `undefined` if the deployment no longer exists. */
export function keptAfterRefresh(situation: Situation & { kept: Kept }): Kept | undefined {
  const { kept, before } = situation;
  const there = before.find(({ id }) => id === kept.id);
  if (!there) return undefined;
  const record = recordShown(situation, there);
  const accepted = asShown(record, kept.accepted, kept.accepted);
  const seen = { ...kept, accepted, newest: record.latest_revision_id ?? kept.newest, incomplete: false };
  const accepting = keptAfterAccepting(situation, seen);
  if (accepting) return accepting;
  const { awaited } = kept;
  if (!awaited) return seen;
  const standing = standingShown(situation, awaited.id);
  // The next `up` verifies it.
  const isOpen = standing === "deployed" && kept.accepted.verify && !awaited.isFound;
  if (standing === "unsettled" || standing === "pruned" || isOpen) return seen;
  const how = standing === "deployed" ? "good" : standing;
  return {
    ...seen,
    awaited: undefined,
    ended: { ...awaited, how },
    good: how === "good" ? awaited.id : kept.good,
  };
}

/**
 * Returns the expected state after a newer revision has changed the inputs of the deployment. Returns `undefined` if no
 * newer revision has changed them, or if the resource has nothing left to wait for.
 */
function keptAfterAccepting(situation: Situation & { kept: Kept }, seen: Kept): Kept | undefined {
  const { kept, server } = situation;
  const { accepted, newest, unverified } = seen;
  if (newest === kept.newest || newest === kept.awaited?.id) return undefined;
  if (!asked(kept.accepted, accepted as Program, server.dialect).revises) return undefined;
  const found = { id: newest, isFound: false };
  const standing = standingShown(situation, newest);
  if (standing === "failed") return { ...seen, awaited: undefined, ended: { ...found, how: "failed" } };
  const isChecked = Boolean(accepted.verify);
  if (standing === "superseded" || (standing === "deployed" && !isChecked)) return undefined;
  const others = unverified.filter((id) => id !== newest);
  return {
    ...seen,
    awaited: found,
    ended: undefined,
    unverified: isChecked ? [...others, newest] : unverified,
  };
}
