import { fc } from "../../../properties";
import { ended, settled, transition } from "../../../../emulator/control-plane/rollouts/transition";
import { revisionStatuses } from "../../../../wire";

const known = fc.constantFrom<string>(...revisionStatuses);
const word = fc.oneof(known, fc.stringMatching(/^[A-Z_]{1,12}$/));
const mover = fc.constantFrom("ordinary" as const, "steered" as const);

test("allows no transition from a final status", () => {
  fc.assert(
    fc.property(word.filter(settled), word, mover, (from, to, by) => {
      expect(transition(from, to, by)).toBeUndefined();
    }),
  );
});

test("allows at most seven transitions in an ordinary rollout, and never repeats a status", () => {
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

test("does not allow SKIPPED, INTERRUPTED, or UNKNOWN in an ordinary rollout", () => {
  const ordinary = revisionStatuses.filter((one) => !["SKIPPED", "INTERRUPTED", "UNKNOWN"].includes(one));
  fc.assert(
    fc.property(word, word, (from, to) => {
      const next = transition(from, to, "ordinary");
      if (next !== undefined) expect(ordinary).toContain(next);
    }),
  );
});

test("allows any transition in a manually controlled rollout until it has finished", () => {
  fc.assert(
    fc.property(word, word, (from, to) => {
      expect(transition(from, to, "steered")).toBe(settled(from) ? undefined : to);
    }),
  );
});

test("allows the sequence of statuses with a build, and the one for an image", () => {
  const walk = (statuses: string[]): unknown =>
    statuses.reduce<string | undefined>((from, to) => from && transition(from, to, "ordinary"), "CREATING");
  expect(walk(["QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"])).toBe(
    "DEPLOYED",
  );
  expect(walk(["AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"])).toBe("DEPLOYED");
  expect(walk(["DEPLOYING", "AWAITING_BUILD"])).toBeUndefined();
});

test("allows a manually controlled rollout to return to the ordinary sequence", () => {
  expect(transition("INTERRUPTED", "DEPLOYING", "ordinary")).toBe("DEPLOYING");
});

test("treats a skipped or interrupted rollout as ended, but not its status as final", () => {
  expect(["SKIPPED", "INTERRUPTED"].map(ended)).toEqual([true, true]);
  expect(["SKIPPED", "INTERRUPTED", "UNKNOWN"].map(settled)).toEqual([false, false, false]);
});
