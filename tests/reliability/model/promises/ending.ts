import { standingIn } from "../expected/situation";
import type { Awaited, Ending } from "../record/kept";
import type { Change } from "./change";
import { codeOf, failureOf, isKept } from "./action";
import { mayFail } from "./exceptions";
import { promise } from "./promise";

/**
 * Returns the result of a rollout as known to the resource, or `undefined` if the resource has not observed the result
 * or does not wait for it.
 */
export function endingOf({ action, there, made, expected }: Change): Ending | "not verified" | undefined {
  const awaited = awaitedIn(made, expected.awaited);
  const code = codeOf(failureOf(action));
  if (!awaited || !isKept(action) || !action.program.wait) return undefined;
  if (code === "rollout_failed") return "failed";
  if (code === "verification_failed") return "not verified";
  if (code !== undefined) return undefined;
  const status = there.revisions.find(({ id }) => id === awaited.id)?.status ?? "";
  const standing = standingIn(action.server, status);
  promise(standing !== "unsettled", `an up succeeded while its revision is ${status}`);
  return standing === "deployed" ? "good" : standing;
}

export function awaitedIn(made: string | undefined, awaited: Awaited | undefined): Awaited | undefined {
  return made === undefined ? awaited : { id: made, isFound: false };
}

/** Checks that a rollout is reported correctly, and that no foreign revision is mistaken for it. */
export function requireEnding(change: Change): void {
  const { action, there, made, rolledBack, expected } = change;
  const awaited = awaitedIn(made, expected.awaited);
  const failure = failureOf(action);
  if (!isKept(action) || !action.program.wait) return;
  requireOwn(change, [awaited?.id, rolledBack]);
  if (!awaited) return promise(!failure, `an up failed without a rollout to wait for: ${failure?.message}`);
  const { status } = there.revisions.find(({ id }) => id === awaited.id)!;
  const standing = standingIn(action.server, status);
  const passes = awaited.isFound ? "yes" : passesVerification(change, awaited.id);
  const isUnreported = action.server.url !== undefined && action.program.verify !== null;
  const isShort = action.program.timeout !== null || isUnreported;
  const isTrue = {
    ended: (awaited.isFound || standing !== "failed") && (standing !== "deployed" || passes !== "no"),
    rollout_failed: standing === "failed" && !awaited.isFound,
    verification_failed: standing === "deployed" && !awaited.isFound && passes !== "yes",
    // A short timeout may expire just before the rollout ends.
    rollout_timeout: standing !== "failed" && (standing !== "deployed" || isShort),
    // Part of the change could not be sent in time.
    timeout: isShort,
  }[codeOf(failure) ?? "ended"];
  promise(
    // The end cannot be observed while the control plane is down.
    isTrue ?? mayFail(action.process, action.fault),
    `revision ${awaited.id} is ${status}, but the up said: ${failure?.message ?? "done"}`,
  );
}

/**
 * Predicts whether the agent of a revision passes the verification. Returns "unsure" if a foreign revision may serve
 * the requests instead.
 */
function passesVerification({ action, there }: Change, revision: string): "yes" | "no" | "unsure" {
  const { verify } = action.program;
  if (!verify) return "yes";
  if (there.revisions[0]?.id !== revision && action.news.revisions.at(-1) !== there.revisions[0]?.id)
    return "unsure";
  const answers = action.answers.get(revision);
  const isRight = answers === "well" || answers === "slowly" || (answers === "wrongly" && verify === "graph");
  return isRight ? "yes" : "no";
}

/** Checks that the provider waits for and evaluates only the resource's own revisions. */
function requireOwn({ action }: Change, own: (string | undefined)[]): void {
  const headline = failureOf(action)?.reasons?.[0] ?? "";
  const judged = /^Revision (\S+) of deployment/.exec(headline)?.[1];
  const awaited = action.said.flatMap(({ message }) => /^revision (\S+) \S+ after /.exec(message)?.[1] ?? []);
  for (const id of [...awaited, ...(judged === undefined ? [] : [judged])])
    promise(own.includes(id), `revision ${id} was waited for, which is not this resource's`);
}
