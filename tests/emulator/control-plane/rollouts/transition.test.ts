import { fc } from "../../../properties";
import { ended, settled, transition } from "../../../../emulator/control-plane/rollouts/transition";
import { revisionStatuses } from "../../../../wire";

const known = fc.constantFrom<string>(...revisionStatuses);
const word = fc.oneof(known, fc.stringMatching(/^[A-Z_]{1,12}$/));
const mover = fc.constantFrom("ordinary" as const, "steered" as const);

test("nothing leads out of a verdict", () => {
  fc.assert(
    fc.property(word.filter(settled), word, mover, (from, to, by) => {
      expect(transition(from, to, by)).toBeUndefined();
    }),
  );
});

test("an ordinary rollout comes to an end in at most seven moves, and never back to where it was", () => {
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

test("an ordinary rollout never says SKIPPED, INTERRUPTED, UNKNOWN or a word that nobody knows", () => {
  const ordinary = revisionStatuses.filter((one) => !["SKIPPED", "INTERRUPTED", "UNKNOWN"].includes(one));
  fc.assert(
    fc.property(word, word, (from, to) => {
      const next = transition(from, to, "ordinary");
      if (next !== undefined) expect(ordinary).toContain(next);
    }),
  );
});

test("a steered rollout goes to any word there is, unless it is settled", () => {
  fc.assert(
    fc.property(word, word, (from, to) => {
      expect(transition(from, to, "steered")).toBe(settled(from) ? undefined : to);
    }),
  );
});

test("the way of a build and the way of an image are both open", () => {
  const walk = (statuses: string[]): unknown =>
    statuses.reduce<string | undefined>((from, to) => from && transition(from, to, "ordinary"), "CREATING");
  expect(walk(["QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"])).toBe(
    "DEPLOYED",
  );
  expect(walk(["AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"])).toBe("DEPLOYED");
  expect(walk(["DEPLOYING", "AWAITING_BUILD"])).toBeUndefined();
});

test("a steered rollout finds back to the ordinary course", () => {
  expect(transition("INTERRUPTED", "DEPLOYING", "ordinary")).toBe("DEPLOYING");
});

test("given up on is over, but not settled", () => {
  expect(["SKIPPED", "INTERRUPTED"].map(ended)).toEqual([true, true]);
  expect(["SKIPPED", "INTERRUPTED", "UNKNOWN"].map(settled)).toEqual([false, false, false]);
});
