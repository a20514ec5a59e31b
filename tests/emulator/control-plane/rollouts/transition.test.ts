import { fc } from "../../../properties";
import { ended, settled, transition } from "../../../../emulator/control-plane/rollouts/transition";
import { revisionStatuses } from "../../../../wire";

const known = fc.constantFrom<string>(...revisionStatuses);
const word = fc.oneof(known, fc.stringMatching(/^[A-Z_]{1,12}$/));
const mover = fc.constantFrom("ordinary" as const, "steered" as const);

test("keeps a final status", () => {
  fc.assert(
    fc.property(word.filter(settled), word, mover, (from, to, by) => {
      expect(transition(from, to, by)).toBeUndefined();
    }),
  );
});

test("finishes an ordinary rollout in at most seven transitions without repetition", () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), (wishes) => {
      const seen = ["CREATING"];
      for (const wish of wishes) {
        const next = transition(seen.at(-1)!, wish, "ordinary");
        if (next !== undefined) seen.push(next);
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.length).toBeLessThanOrEqual(8);
    }),
  );
});

test("restricts an ordinary rollout to its own statuses", () => {
  const ordinary = revisionStatuses.filter((one) => !["SKIPPED", "INTERRUPTED", "UNKNOWN"].includes(one));
  fc.assert(
    fc.property(word, word, (from, to) => {
      const next = transition(from, to, "ordinary");
      if (next !== undefined) expect(ordinary).toContain(next);
    }),
  );
});

test("moves a manually controlled rollout to any status until it has finished", () => {
  fc.assert(
    fc.property(word, word, (from, to) => {
      expect(transition(from, to, "steered")).toBe(settled(from) ? undefined : to);
    }),
  );
});

test("allows the statuses of a build and of an image", () => {
  const walk = (statuses: string[]): unknown =>
    statuses.reduce<string | undefined>((from, to) => from && transition(from, to, "ordinary"), "CREATING");
  expect(walk(["QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"])).toBe(
    "DEPLOYED",
  );
  expect(walk(["AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"])).toBe("DEPLOYED");
  expect(walk(["DEPLOYING", "AWAITING_BUILD"])).toBeUndefined();
});

test("returns a manually controlled rollout to the ordinary sequence", () => {
  expect(transition("INTERRUPTED", "DEPLOYING", "ordinary")).toBe("DEPLOYING");
});

test("treats an abandoned rollout as over, but not as finished", () => {
  expect(["SKIPPED", "INTERRUPTED"].map(ended)).toEqual([true, true]);
  expect(["SKIPPED", "INTERRUPTED", "UNKNOWN"].map(settled)).toEqual([false, false, false]);
});
