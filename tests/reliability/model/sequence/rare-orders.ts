import { fc } from "../../../properties";
import { commit } from "./program";
import type { Server } from "./server";
import type { Step, UpStep } from "./steps";

/** Returns an `up` of the first stack. */
const up = (step: Omit<UpStep, "do" | "change"> & Partial<Pick<UpStep, "change">>): UpStep => ({
  do: "up",
  change: {},
  ...step,
});

/** An `up` with a good revision that can be restored in every dialect. */
const good = up({
  change: {
    repoRef: commit,
    graphConfigPath: "langgraph.json",
    verify: null,
    wait: true,
    timeout: null,
    onFailure: "keep",
    trigger: null,
  },
});

/**
 * A good revision, a revision that fails its verification, possibly a revision with `wait: false`, and a revision that
 * fails.
 */
const unverifiedBeforeFailure = fc
  .tuple(
    fc.constantFrom("graph" as const, "run" as const),
    fc.constantFrom<Step[][]>(
      [],
      [up({ change: { trigger: "tuesday", wait: false } }), { do: "wait", seconds: 30 }],
    ),
    fc.constantFrom("graph" as const, null),
  )
  .map(([verify, unwaited, lastVerify]): Step[] => [
    good,
    up({ change: { verify, trigger: "monday" }, answers: "without the graph" }),
    ...unwaited,
    up({
      change: { graphConfigPath: "other.json", wait: true, onFailure: "rollback", verify: lastVerify },
      fails: "DEPLOY_FAILED",
    }),
  ]);

/** A rollout with `wait: false`, a later foreign revision, and a read of both. */
const overtaken = fc
  .tuple(
    fc.constantFrom(undefined, "BUILD_FAILED" as const),
    fc.constantFrom<Step[]>({ do: "push" }, { do: "push", repoRef: "theirs" }),
    fc.constantFrom<Step[][]>(
      [],
      [{ do: "wait", seconds: 30 }],
      [{ do: "wait", seconds: 30 }, { do: "prune" }],
    ),
    fc.constantFrom<Step[][]>([], [{ do: "refresh" }]),
  )
  .map(([fails, push, time, look]): Step[] => [
    up({ change: { wait: false, trigger: "monday" }, ...(fails && { fails }) }),
    push,
    ...time,
    ...look,
    up({ change: { wait: true } }),
  ]);

/** Returns an interrupted update, followed by a change to a field that the server may not report. */
const changedAfterCut = ({ secrets }: Server) =>
  fc
    .tuple(fc.integer({ min: 6, max: 14 }), secrets ? fc.constant(true) : fc.boolean())
    .map(([at, isSecret]): Step[] => [
      up({ change: { secret: "a", cpu: 1, repoRef: "v1", wait: true, timeout: null } }),
      up({ change: { repoRef: "v2" }, fault: { kind: "killed", at } }),
      up({ change: isSecret ? { secret: "b" } : { cpu: 2 } }),
    ]);

/** A change with a lost response, and a foreign revision with the same source before the next read. */
const sameSourceAfterLoss = fc
  .tuple(fc.integer({ min: 2, max: 7 }), fc.constantFrom("reset", "truncated", "500 after"))
  .map(([at, how]): Step[] => [
    up({ change: { repoRef: "v1", wait: true, timeout: null } }),
    up({
      change: { repoRef: "v2" },
      fault: { kind: "lost", at, how },
      meanwhile: { afterSeconds: 1, does: "push" },
    }),
  ]);

/**
 * A good revision, more failed revisions than a short page contains, a read while the newest revision is not serving,
 * and a rollback.
 */
const failuresAfterGood = fc
  .constantFrom(1, 2, 3)
  .map((failures): Step[] => [
    good,
    ...Array.from({ length: failures }, (_, count) =>
      up({ change: { trigger: count % 2 === 0 ? "monday" : "tuesday" }, fails: "BUILD_FAILED" }),
    ),
    { do: "refresh" },
    up({ change: { onFailure: "rollback", repoRef: "v2" }, fails: "BUILD_FAILED" }),
  ]);

/** Returns orders of steps that are rare in random sequences and have violated guarantees in the past. */
export function rareOrders(server: Server): fc.Arbitrary<Step[]> {
  return fc.oneof(
    { weight: 3, arbitrary: unverifiedBeforeFailure },
    { weight: 2, arbitrary: overtaken },
    { weight: 2, arbitrary: sameSourceAfterLoss },
    { weight: server.secrets ? 6 : 1, arbitrary: changedAfterCut(server) },
    { weight: server.pageCap || server.url ? 4 : 1, arbitrary: failuresAfterGood },
  );
}
