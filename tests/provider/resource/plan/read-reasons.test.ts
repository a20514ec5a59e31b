import { fc } from "../../../properties";
import { interfaceDialect } from "../../../../provider/control-plane/dialects";
import type { Change, Effect } from "../../../../provider/resource/plan/change";
import { plan, type LastRollout } from "../../../../provider/deployment/plan";
import { readReasons } from "../../../../provider/resource/plan/read-reasons";
import { logLine, reasonsFor } from "../../../../provider/resource/plan";
import { dialects, inputs } from "../../deployment/arbitraries";

const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom(
    "a, b",
    "x → y",
    "v1; needs a new revision: z",
    '"',
    "",
    "[secret]",
    '{"a":"; "}',
    "{",
    "…",
  ),
  fc.json(),
);

const changes: fc.Arbitrary<Change[]> = fc.array(
  fc
    .record({
      path: text,
      effect: fc.constantFrom<Effect>("replace", "confirm", "revision", "patch", "state"),
      unknown: fc.boolean(),
      values: fc.option(fc.record({ from: text, to: text }), { nil: undefined }),
    })
    .map(({ path, effect, unknown, values }) => ({
      path,
      effect,
      ...(unknown ? { unknown } : values && { values }),
    })),
);

/** In the order in which sentences tell them. */
const sorted = (all: object[]) => all.map((one) => JSON.stringify(one)).sort();

const alongIf = (replaces: boolean, change: Change) =>
  replaces && (change.effect !== "replace" || change.unknown) ? { ...change, effect: "along" } : change;

test("what is reported is read back, whatever the values hold", () => {
  fc.assert(
    fc.property(changes, fc.boolean(), fc.boolean(), (all, failed, resumesWait) => {
      const replaces = all.some(({ effect, unknown }) => effect === "replace" && !unknown);
      const newRevision = !replaces && (failed || all.some(({ effect }) => effect === "revision"));
      const reasons = reasonsFor({ changes: all, replaces, newRevision, resumesWait, afterFailure: failed });

      const shown = readReasons(logLine(reasons));

      expect(sorted(shown.changes)).toEqual(sorted(all.map((change) => alongIf(replaces, change))));
      expect(shown).toMatchObject({
        replaces,
        afterFailure: !replaces && failed,
        resumesWait: !replaces && resumesWait,
        unread: [],
      });
    }),
  );
});

test("every plan is read back from its reasons", () => {
  const rollouts = fc.constantFrom<LastRollout>("deployed", "failed", "unsettled");
  fc.assert(
    fc.property(inputs, inputs, rollouts, dialects, (before, wanted, lastRollout, dialect) => {
      const steps = plan({ before, wanted, lastRollout, dialect });

      const shown = readReasons(`${logLine(steps.reasons)}\n`);

      expect(shown.replaces).toBe(steps.action === "replace");
      expect(shown.unread).toEqual([]);
      expect(sorted(shown.changes)).toEqual(
        sorted(steps.changes.map((change) => alongIf(shown.replaces, change))),
      );
    }),
  );
});

test("words may change: what is read is the code and the list", () => {
  const shown = readReasons(
    "a revision is built, because of these: sourceRevisionConfig.repoRef v1 → v2 [revision]; waits on [resumes-wait]",
  );
  expect(shown).toMatchObject({ resumesWait: true, known: 2, unread: [] });
  expect(shown.changes).toEqual([
    { path: "sourceRevisionConfig.repoRef", effect: "revision", values: { from: "v1", to: "v2" } },
  ]);
});

test("the lines of the first releases, which had no codes, are read", () => {
  const shown = readReasons(
    'is replaced, deleted first, with its threads, assistants, crons and store: name a → "b c"; changes along with it: secrets.KEY; changes along with it, value not known yet: sourceConfig.repoUrl',
  );
  expect(shown).toMatchObject({ replaces: true, known: 3, unread: [] });
  expect(shown.changes).toEqual([
    { path: "name", effect: "replace", values: { from: "a", to: "b c" } },
    { path: "secrets.KEY", effect: "along" },
    { path: "sourceConfig.repoUrl", effect: "along", unknown: true },
  ]);
  const waits = readReasons(
    "needs a new revision: the last rollout failed; goes on waiting for the rollout that had not settled; changed secrets take effect at the next revision",
  );
  expect(waits).toMatchObject({ afterFailure: true, resumesWait: true, known: 3, unread: [], changes: [] });
});

test("a sentence that is not known is handed on, and the others are read", () => {
  const shown = readReasons(
    "does something new, a; needs a new revision: sourceRevisionConfig.repoRef v1 → v2",
  );
  expect(shown.unread).toEqual(["does something new, a"]);
  expect(shown.changes).toEqual([
    { path: "sourceRevisionConfig.repoRef", effect: "revision", values: { from: "v1", to: "v2" } },
  ]);
});

test("no text makes the reader throw or lose what it cannot read", () => {
  fc.assert(
    fc.property(fc.string(), (garbage) => {
      const shown = readReasons(garbage);
      expect(shown.unread.length > 0 || garbage.replaceAll("; ", "").trim() === "").toBe(true);
    }),
  );
});

test("values with blanks stand in quotes, objects as they are", () => {
  const base = { name: "agent", source: "github", sourceConfig: {}, sourceRevisionConfig: { repoRef: "v1" } };
  const wanted = { ...base, name: "my agent", sourceConfig: { resourceSpec: { cpu: 2, memory: "1Gi" } } };
  const steps = plan({ before: base, wanted, lastRollout: "deployed", dialect: interfaceDialect });
  expect(logLine(steps.reasons)).toBe(
    'is replaced, deleted first, with its threads, assistants, crons and store: name agent → "my agent" [replace]; ' +
      'changes along with it: sourceConfig.resourceSpec none → {"cpu":2,"memory":"1Gi"} [along]',
  );
});
