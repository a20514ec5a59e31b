import fc from "fast-check";
import type { VerifiedArtifact } from "../../../provider/deployment/state";
import {
  decide,
  decideAfterFailedCheck,
  decideWithoutUpstream,
  type PromotionFacts,
  type PromotionGate,
  type TargetSources,
} from "../../../provider/promotion/decide";
import type { Source } from "../../../provider/promotion/artifact";
import { targetSources } from "../../../provider/promotion/target";

const [one, two, three] = ["1", "2", "3"].map((digit) => digit.repeat(40)) as [string, string, string];
const now = Date.parse("2026-01-05T12:00:00Z");
const hour = 3_600_000;

function entry(artifact: string | undefined, hoursAgo: number, source = "github"): VerifiedArtifact {
  const verification = { ok: true, run: false };
  const verifiedAt = new Date(now - hoursAgo * hour).toISOString();
  return { source, artifact, revisionId: `r-${artifact?.[0]}`, verifiedAt, verification };
}

const at = (artifact: string, graphConfigPath?: string): Source => ({
  source: "github",
  artifact,
  graphConfigPath,
});

/**
 * Returns the facts for a staging deployment that has verified these artifacts, newest first, and is serving the first
 * one.
 */
function facts(
  history: VerifiedArtifact[],
  serving: string | undefined,
  gate: PromotionGate = {},
  others: Partial<PromotionFacts> = {},
): PromotionFacts {
  return {
    target: "production",
    upstream: "staging",
    verified: { current: history[0], history },
    gate,
    present: serving === undefined ? undefined : { serving: at(serving), failed: [] },
    now,
    ...others,
  };
}

function decided(...given: Parameters<typeof facts>) {
  const { source, waiting } = decide(facts(...given));
  return [source?.artifact, waiting];
}

const approval = (approved: string | null): PromotionGate => ({
  approval: { approved, toApprove: (artifact) => `run \`approve ${artifact[0]}\`` },
});

test("promotes the active artifact of the previous environment if there is no gate", () => {
  expect(decide(facts([entry(two, 0), entry(one, 1)], one))).toEqual({ source: at(two), promotes: true });
  expect(decide(facts([entry(two, 0)], undefined))).toEqual({ source: at(two), promotes: true });
  expect(decide(facts([entry(two, 0)], two))).toEqual({ source: at(two), promotes: false });
});

test("follows the previous environment to an earlier artifact", () => {
  expect(decided([entry(one, 9), entry(two, 2)], two)).toEqual([one, undefined]);
});

test("promotes a different graph configuration of the same commit", () => {
  const verified = { ...entry(one, 1), graphConfigPath: "b.json" };
  const present = { serving: at(one, "a.json"), failed: [] };
  expect(decide(facts([verified], one, {}, { present }))).toMatchObject({
    source: at(one, "b.json"),
    promotes: true,
  });
});

test.each<[string, PromotionFacts["verified"], string]>([
  [
    "an unverified revision",
    { history: [entry(two, 0)] },
    "the revision that staging serves is not verified: run `pulumi up` for staging.",
  ],
  [
    "nothing",
    { history: [] },
    "staging has not verified any artifact: run `pulumi up` for staging, with `rollout.verify`.",
  ],
  [
    "a branch",
    { current: entry(undefined, 1), history: [entry(undefined, 1)] },
    "the control plane does not report what revision r-undefined of staging was built from: set its sourceRevisionConfig to a full commit ID or to an image with its digest.",
  ],
  [
    "a folder",
    { current: entry("0a", 1, "internal_source"), history: [] },
    "staging has not verified any artifact: run `pulumi up` for staging, with `rollout.verify`.",
  ],
])("keeps the source while the previous environment is serving %s", (_, verified, reason) => {
  expect(decided([], one, {}, { verified })).toEqual([one, `production stays at 1111111; ${reason}`]);
});

test("does not promote the hash of a folder", () => {
  expect(decided([entry("0a", 1, "internal_source")], one)[1]).toBe(
    "production stays at 1111111; staging serves the contents of a folder, which cannot be promoted: use a commit or an image.",
  );
});

test("waits for an approval, and reports the artifact, the reason, the time, and the command", () => {
  expect(decided([entry(two, 2), entry(one, 3)], one, approval(null))).toEqual([
    one,
    "production stays at 1111111; 2222222 has been verified in staging since 2026-01-05 10:00 UTC and is waiting for approval: run `approve 2`.",
  ]);
  expect(decided([entry(two, 2)], undefined, approval(null))).toEqual([
    undefined,
    "production does not exist yet; 2222222 has been verified in staging since 2026-01-05 10:00 UTC and is waiting for approval: run `approve 2`.",
  ]);
});

test("reports nothing if there is nothing new", () => {
  expect(decided([entry(one, 2)], one, approval(null))).toEqual([one, undefined]);
  expect(decided([], undefined, approval(null))).toEqual([
    undefined,
    "production does not exist yet; the next artifact that staging verifies requires approval.",
  ]);
});

test("promotes a newer or older approved artifact, and reports the next one that waits", () => {
  const history = [entry(three, 0), entry(two, 1), entry(one, 2)];
  const waits = "3333333 has been verified in staging since 2026-01-05 12:00 UTC and is waiting for approval";
  for (const [serving, approved] of [
    [one, two],
    [three, one],
    [undefined, one],
  ] as const) {
    const decision = decide(facts(history, serving, approval(approved.slice(0, 7))));
    expect(decision).toMatchObject({
      source: at(approved),
      promotes: true,
      message: `production gets ${approved.slice(0, 7)}; ${waits}: run \`approve 3\`.`,
      waiting: `production stays at ${approved.slice(0, 7)}; ${waits}: run \`approve 3\`.`,
    });
  }
});

test("describes what is waiting in the same way before and after a promotion", () => {
  const artifact = fc.constantFrom(one, two, three);
  const status = fc.constantFrom("DEPLOYED", "BUILD_FAILED", "DEPLOY_FAILED", "SKIPPED");
  const rollouts = fc.array(fc.record({ commit: artifact, status }), { maxLength: 6 });
  fc.assert(
    fc.property(rollouts, artifact, artifact, (earlier, approved, current) => {
      const history = [current, one, two, three].map((commit, index) => entry(commit, index));
      const targetAfter = (ended: typeof earlier): TargetSources => {
        const revisions = ended.map((one, index) => ({ ...one, id: `${index}`, repoRef: one.commit }));
        const active = revisions.find((one) => one.status === "DEPLOYED");
        const found = { source: "github", activeRevisionId: active?.id } as never;
        return targetSources(found, revisions);
      };
      const decisionFor = (ended: typeof earlier) =>
        decide(facts(history, undefined, approval(approved), { present: targetAfter(ended) }));
      const { promotes, waiting } = decisionFor(earlier);
      const after = decisionFor([{ commit: approved, status: "DEPLOYED" }, ...earlier]);
      if (promotes) expect([after.promotes, after.waiting]).toEqual([false, waiting]);
    }),
  );
});

test("promotes an approved artifact even if the previous environment serves an unverified one", () => {
  const verified = { history: [entry(two, 1), entry(one, 2)] };
  expect(decided([], one, approval("2222222"), { verified })).toEqual([two, undefined]);
});

test("keeps an approved artifact that is no longer among the verified ones", () => {
  expect(decided([entry(two, 2)], one, approval(one))).toEqual([
    one,
    expect.stringContaining("2222222 has been verified in staging since 2026-01-05 10:00 UTC and is waiting"),
  ]);
});

test("does not promote an approved artifact that was never verified", () => {
  expect(decided([entry(one, 1)], one, approval(two))).toEqual([
    one,
    "production stays at 1111111; 2222222 is approved, but staging has not verified it: run `pulumi up` again when staging has verified it.",
  ]);
  expect(decided([entry(three, 1), entry(one, 2)], one, approval(two))).toEqual([
    one,
    "production stays at 1111111; 2222222 is approved, but staging has not verified it; 3333333 has been verified in staging since 2026-01-05 11:00 UTC and is waiting for approval: run `approve 3`.",
  ]);
});

test("does not choose between artifacts that start with the approved digits", () => {
  const other = `2222222${"0".repeat(33)}`;
  expect(decided([entry(other, 1), entry(two, 2)], one, approval("2222222"))).toEqual([
    one,
    `production stays at 1111111; 2222222 is approved, but several verified artifacts start with it (${other}, ${two}): approve one of them in full.`,
  ]);
});

test("does not list a failed artifact among those that start with the approved digits", () => {
  const [other, third] = ["0", "3"].map((digit) => `2222222${digit.repeat(33)}`) as [string, string];
  const present = { serving: at(one), failed: [{ ...at(other), status: "BUILD_FAILED" }] };
  const history = [entry(other, 1), entry(two, 2), entry(third, 3)];
  expect(decided(history, one, approval("2222222"), { present })[1]).toContain(
    `several verified artifacts start with it (${two}, ${third}): approve one of them in full`,
  );
});

describe("while the previous environment changes in a preview", () => {
  const closed = { window: { from: "09:00", to: "10:00", timeZone: "UTC" } };
  const waiting = "is waiting for the window 09:00–10:00 (UTC): run `pulumi up` in that window.";

  test.each<[string, PromotionGate, string | undefined]>([
    [
      "without an approval",
      closed,
      `production stays at 1111111; a new artifact that staging verifies in this update ${waiting}`,
    ],
    [
      "with an approval",
      { ...closed, ...approval("2222222") },
      `production stays at 1111111; 2222222 is approved and ${waiting}`,
    ],
  ])("keeps the source outside the window (%s)", (_, gate, sentence) => {
    const decision = decideWithoutUpstream(facts([], one, gate));
    expect(decision).toEqual({ source: at(one), promotes: false, waiting: sentence });
  });

  test("keeps the source unknown inside the window", () => {
    const now = Date.parse("2026-01-05T09:30:00Z");
    for (const gate of [closed, { ...closed, ...approval("2222222") }])
      expect(decideWithoutUpstream(facts([], one, gate, { now }))).toMatchObject({
        promotes: false,
        dependsOnUpstream: true,
      });
  });
});

test.each([
  ["has failed", "DEPLOY_FAILED", " and has failed in production (DEPLOY_FAILED)"],
  [
    "was replaced by an earlier one",
    undefined,
    ", and production has since been rolled back from it to an earlier artifact",
  ],
])("does not suggest approving an artifact that %s in the target", (_, status, expected) => {
  const present = { serving: at(one), failed: [{ ...at(two), status }] };
  expect(decided([entry(two, 1)], one, approval(one), { present })[1]).toBe(
    `production stays at 1111111; 2222222 has been verified in staging since 2026-01-05 11:00 UTC, but is not approved${expected}.`,
  );
});

test("promotes only an artifact that has been verified for long enough", () => {
  const soak = { soakMs: 2 * hour };
  expect(decided([entry(two, 2)], one, soak)).toEqual([two, undefined]);
  expect(decided([entry(three, 1.5), entry(two, 3), entry(one, 9)], one, soak)).toEqual([
    one,
    "production stays at 1111111; 3333333 has been verified in staging since 2026-01-05 10:30 UTC and can be promoted only after 2h00m: run `pulumi up` after 2026-01-05 12:30 UTC.",
  ]);
  expect(decided([entry(three, 1), entry(two, 3)], one, { ...soak, ...approval("2222222") })[0]).toBe(two);
  expect(decided([entry(three, 1)], three, soak)).toEqual([three, undefined]);
});

test("promotes only during the window", () => {
  const window = { days: ["Sat", "Sun"] as const, from: "09:00", to: "17:00", timeZone: "Europe/Berlin" };
  expect(decided([entry(two, 1)], two, { window })).toEqual([two, undefined]);
  expect(decided([entry(two, 1)], one, { window })).toEqual([
    one,
    "production stays at 1111111; 2222222 has been verified in staging since 2026-01-05 11:00 UTC and is waiting for the window Sun, Sat 09:00–17:00 (Europe/Berlin): run `pulumi up` in that window.",
  ]);
  // Monday, 13:00 in Berlin.
  const first = { present: undefined, now: Date.parse("2026-01-05T12:00:00Z") };
  const [source, waiting] = decided([entry(two, 1)], undefined, { window }, first);
  expect([source, waiting]).toEqual([
    undefined,
    expect.stringContaining("production does not exist yet; 2222222 has been verified in staging since"),
  ]);
  const inside = { ...first, now: Date.parse("2026-01-10T12:00:00Z") };
  expect(decided([entry(two, 1)], undefined, { window }, inside)).toEqual([two, undefined]);
});

test("continues a rollout that an earlier update started, even if the gate no longer passes", () => {
  const present = { serving: at(one), rollingOut: at(two), failed: [] };
  expect(decided([entry(two, 1)], one, approval(null), { present })[0]).toBe(two);
});

test("keeps the active source while another user rolls out a source that was never verified", () => {
  const present = { serving: at(one), rollingOut: at(three), failed: [] };
  expect(decided([entry(two, 1)], one, approval(null), { present })[0]).toBe(one);
});

test("keeps the source of a target whose only rollout failed", () => {
  const present = {
    failed: [
      { ...at(three), status: "BUILD_FAILED" },
      { ...at(two), status: "BUILD_FAILED" },
    ],
  };
  expect(decided([entry(two, 1)], undefined, approval(null), { present })).toEqual([two, undefined]);
  expect(decided([entry(one, 1)], undefined, approval(null), { present })).toEqual([
    undefined,
    expect.stringMatching(/^the source that production serves is not known; 1111111 .* waiting for approval/),
  ]);
});

test("keeps the source after a failed check of an artifact that is missing from the history", () => {
  const current = entry(two, 1);
  const given = { ...facts([entry(one, 2)], one), verified: { current, history: [entry(one, 2)] } };
  const { source, waiting } = decideAfterFailedCheck(given, decide(given).source!, "check `npm test` failed");
  expect(source).toEqual(at(one));
  expect(waiting).toMatch(
    /^production stays at 1111111; 2222222 has been verified .* check `npm test` failed/,
  );
});

test("keeps the source after a failed check", () => {
  const given = facts([entry(two, 1)], one);
  const { source } = decide(given);
  expect(decideAfterFailedCheck(given, source!, "check `npm test` failed (exit code 1)")).toEqual({
    source: at(one),
    promotes: false,
    waiting:
      "production stays at 1111111; 2222222 has been verified in staging since 2026-01-05 11:00 UTC, but check `npm test` failed (exit code 1): fix the cause and run `pulumi up` again.",
  });
});

test("keeps the source in a preview if a new artifact cannot complete its soak time", () => {
  const known = facts([], one, { soakMs: 2 * hour });
  expect(decideWithoutUpstream(known)).toEqual({
    source: at(one),
    promotes: false,
    waiting:
      "production stays at 1111111; a new artifact that staging verifies in this update can be promoted only after 2h00m.",
  });
});

test("keeps the inputs of a target until the gate passes if they require a replacement", () => {
  const replacedFor = ["name", "source"];
  const closed = facts([entry(one, 1)], one, approval(null), { replacedFor });
  expect(decide(closed)).toEqual({
    source: at(one),
    promotes: false,
    waiting:
      "production stays at 1111111 and keeps its previous name and source; approving the artifact that it already serves does not approve a replacement: approve another artifact, or remove `gate` for one update.",
  });
  expect(decide({ ...closed, gate: approval(one) })).toMatchObject({ source: at(one), promotes: false });
  expect(decide({ ...closed, gate: {} })).toMatchObject({ source: at(one), promotes: true });
  const behind = decide(facts([entry(two, 1), entry(one, 2)], one, approval(one), { replacedFor }));
  expect(behind).toMatchObject({ source: at(one), promotes: false });
  expect(behind.waiting).toContain("2222222 has been verified");
});

test("does not promote an artifact of a different kind from the target's declared source", () => {
  const image = { ...entry("registry.example.com/a@sha256:1", 1), source: "external_docker" };
  const given = { kind: "external_docker", replacedFor: ["source"] };
  const closed = facts([image, entry(one, 1)], one, approval(one), given);
  expect(decide(closed)).toMatchObject({ source: at(one), promotes: false });
  expect(decide(facts([entry(one, 1)], one, {}, given))).toMatchObject({
    source: at(one),
    waiting:
      "production stays at 1111111 and keeps its previous source; staging still serves a github source.",
  });
});

test("promotes the same commit with the path that the previous environment verified last", () => {
  const [after, before] = ["new.json", "old.json"];
  const history = [
    { ...entry(one, 1), graphConfigPath: after },
    { ...entry(one, 2), graphConfigPath: before },
  ];
  const present = { serving: at(one, before), failed: [] };
  expect(decide(facts(history, one, approval(one), { present }))).toMatchObject({
    source: { artifact: one, graphConfigPath: "new.json" },
    promotes: true,
  });
});

test("treats the source as unknown in a preview if an earlier artifact may be promoted", () => {
  const soak = { soakMs: 2 * hour };
  const unknown = { promotes: false, dependsOnUpstream: true };
  expect(decideWithoutUpstream(facts([entry(two, 3), entry(one, 5)], one, soak))).toEqual(unknown);
  expect(decideWithoutUpstream(facts([], one, soak, { isHistoryUnknown: true }))).toEqual(unknown);
  expect(decideWithoutUpstream(facts([entry(two, 1), entry(one, 5)], one, soak))).toMatchObject({
    source: at(one),
    waiting: expect.stringContaining("can be promoted only after 2h00m"),
  });
});

test("promotes only the active artifact if the target moves to another repository", () => {
  const others = { replacedFor: ["sourceConfig.repoUrl"], isOtherRepository: true };
  const history = [entry(two, 1), entry(one, 2)];
  expect(decide(facts(history, one, approval(one), others))).toMatchObject({
    source: at(one),
    promotes: false,
  });
  expect(decide(facts(history, one, approval(two), others))).toMatchObject({
    source: at(two),
    promotes: true,
  });
});

test("keeps a target's previous inputs if the previous environment keeps the same ones", () => {
  const held = facts([entry(one, 1)], one, {}, { replacedFor: ["name"], heldUpstream: ["name"] });
  for (const decision of [decide(held), decideWithoutUpstream(held)])
    expect(decision).toEqual({
      source: at(one),
      promotes: false,
      waiting:
        "production stays at 1111111 and keeps its previous name; staging keeps its previous inputs as well.",
    });
});

test("promotes a target if the previous environment keeps only a different input", () => {
  const given = { replacedFor: ["computeTier"], heldUpstream: ["name"] };
  expect(decide(facts([entry(two, 1)], one, {}, given))).toMatchObject({ source: at(two), promotes: true });
});

describe("a target in the stack's state", () => {
  const others = "9".repeat(40);

  /** Returns the decision while nothing is approved, after the stack has rolled out the first commit. */
  function closed(found: Partial<TargetSources>, declared = at(one)) {
    const present = { failed: [], ...found, state: { rolledOut: at(one), declared } };
    return decide({ ...facts([entry(two, 1), entry(one, 2)], one, approval(null)), present });
  }

  test.each<[string, Partial<TargetSources>]>([
    ["serves another user's commit", { serving: at(others) }],
    ["serves a commit that staging has verified", { serving: at(two) }],
    ["is being changed by another user to a verified commit", { serving: at(one), rollingOut: at(two) }],
    [
      "has failed to serve a verified commit",
      { serving: at(others), failed: [{ ...at(two), status: "BUILD_FAILED" }] },
    ],
    ["is not listed by the server", {}],
  ])("keeps what the stack has rolled out if it %s", (_case, found) => {
    // A refresh stores the source of the newest revision.
    for (const declared of [at(one), found.serving ?? at(one)])
      expect(closed(found, declared)).toMatchObject({ source: at(one), promotes: false });
  });

  test("resumes the stack's rollout", () => {
    const present = { failed: [], state: { rolledOut: at(two), declared: at(two) } };
    for (const found of [{ serving: at(one), rollingOut: at(two) }, { serving: at(two) }, {}])
      expect(
        decide({ ...facts([entry(two, 1)], one, approval(null)), present: { ...present, ...found } }),
      ).toMatchObject({ source: at(two), promotes: false });
  });

  test("keeps the last verified source if its own rollout has failed since the last update", () => {
    const failed = [{ ...at(two), status: "BUILD_FAILED" }];
    const state = { rolledOut: at(two), verified: at(one), declared: at(two) };
    const present = { serving: at(one), failed, state };
    expect(decide({ ...facts([entry(two, 1)], one, approval(null)), present }).source).toEqual(at(one));
    const first = { failed, state: { rolledOut: at(two), declared: at(two) } };
    expect(decide({ ...facts([entry(two, 1)], one, approval(null)), present: first }).source).toEqual(
      at(two),
    );
  });

  test("keeps the last verified source if state contains no other", () => {
    const state = { rolledOut: undefined, verified: at(one), declared: at(two) };
    const present = { serving: at(two), failed: [], state };
    expect(decide({ ...facts([entry(two, 1)], one, approval(null)), present }).source).toEqual(at(one));
  });

  test("does not keep a branch", () => {
    const state = { rolledOut: at("main"), declared: at("main") };
    const decision = decide({
      ...facts([], one, approval(null)),
      present: { serving: at(one), failed: [], state },
    });
    expect(decision.source).toBeUndefined();
    expect(decision.waiting).toMatch(/^production cannot stay at main, which is neither a commit/);
  });

  test("reports a commit that it serves but that the stack has not rolled out", () => {
    expect(closed({ serving: at(two) }).waiting).toMatch(
      /^production stays at 1111111 in the state of the stack, but serves 2222222, which the stack has not rolled out \(`pulumi up --refresh`, or the next new revision, restores 1111111\); 2222222 has been verified/,
    );
    // The update replaces 2222222.
    expect(closed({ serving: at(two) }, at(two)).waiting).toMatch(/^production stays at 1111111; /);
    expect(closed({ serving: at(one) }).waiting).toMatch(/^production stays at 1111111; /);
  });
});

test("does not replace a target whose artifact is already approved, even if its path differs", () => {
  const replacedFor = ["sourceConfig.repoUrl", "sourceRevisionConfig.graphConfigPath"];
  const other = { ...entry(one, 1), graphConfigPath: "other.json" };
  const present = { serving: at(one, "langgraph.json"), failed: [] };
  const given = facts([other], one, approval(one), { replacedFor, present });
  expect(decide(given)).toMatchObject({ source: at(one, "langgraph.json"), promotes: false });
  expect(decideWithoutUpstream(given)).toMatchObject({ source: at(one, "langgraph.json") });
});

test("does not replace a target whose artifact is already approved", () => {
  const given = { replacedFor: ["sourceConfig.repoUrl"] };
  const replaced = facts([entry(one, 1)], one, approval(one), given);
  expect(decide(replaced)).toEqual({
    source: at(one),
    promotes: false,
    waiting:
      "production stays at 1111111 and keeps its previous sourceConfig.repoUrl; approving the artifact that it already serves does not approve a replacement: approve another artifact, or remove `gate` for one update.",
  });
  expect(decideWithoutUpstream(replaced)).toMatchObject({ source: at(one), promotes: false });
});

test("does not adopt a target that failed to serve the verified commit", () => {
  const present = { serving: at(three), failed: [{ ...at(two), status: "BUILD_FAILED" }], isUnmanaged: true };
  expect(decide({ ...facts([entry(two, 1)], one, approval(null)), present }).source).toBeUndefined();
});

test("states that only the last verified artifacts can be approved", () => {
  const history = Array.from({ length: 20 }, (_, index) => entry(String(index + 10).repeat(20), index));
  expect(decide(facts(history, one, approval(three))).waiting).toContain(
    "3333333 is approved, but is not among the last 20 artifacts that staging has verified",
  );
});

test("states in a preview when an unmanaged target is adopted", () => {
  const { present, ...given } = facts([], one, approval(null));
  const unmanaged = { ...given, present: { ...present!, isUnmanaged: true } };
  expect(decideWithoutUpstream(unmanaged)).toEqual({
    promotes: false,
    dependsOnUpstream: true,
    waiting:
      "production is adopted in this update only if staging verifies 1111111, which production serves, or an artifact that passes the gate.",
  });
});

test("does not create a target while the previous environment keeps its inputs", () => {
  const absent = facts([entry(one, 1)], undefined, {}, { heldUpstream: ["name"] });
  expect(decide(absent)).toEqual({
    source: undefined,
    promotes: false,
    waiting: "production does not exist yet; staging keeps its previous inputs as well.",
  });
});

test("reports what is waiting if only the path of an approved commit has changed", () => {
  const replacedFor = ["sourceRevisionConfig.graphConfigPath"];
  const decision = decide(facts([entry(two, 1), entry(one, 2)], one, approval(one), { replacedFor }));
  expect(decision).toMatchObject({ source: at(one), promotes: false });
  expect(decision.waiting).toContain("2222222 has been verified in staging");
});

test("keeps the source in a preview if the approved commit is for a different kind of source", () => {
  const given = { kind: "external_docker", replacedFor: ["source"] };
  expect(decideWithoutUpstream(facts([entry(one, 1)], one, approval(one), given))).toMatchObject({
    source: at(one),
    waiting: expect.stringContaining("requires approval"),
  });
});

test("treats the source as unknown in a preview if an approved commit may get another path", () => {
  const replacedFor = ["sourceRevisionConfig.graphConfigPath"];
  const given = facts([entry(one, 1)], one, approval(one), { replacedFor });
  expect(decideWithoutUpstream(given)).toMatchObject({ promotes: false, dependsOnUpstream: true });
});

test("states that the source of a target is still being rolled out", () => {
  const present = { serving: at(one), rollingOut: at(two), failed: [] };
  expect(decide(facts([entry(two, 1)], one, approval(null), { present })).source).toEqual(at(two));
  expect(decideWithoutUpstream(facts([entry(two, 1)], one, approval(null), { present })).waiting).toMatch(
    /^production stays at 2222222, which is being rolled out; a new artifact/,
  );
});
