import { fc } from "../../../properties";
import { interfaceDialect } from "../../../../provider/control-plane/dialects";
import type { LastRollout } from "../../../../provider/deployment/state";
import { readReasons } from "../../../../provider/deployment/plan/read-reasons";
import {
  notes,
  reasonsFor,
  type DeploymentChange,
  type Effect,
} from "../../../../provider/deployment/plan/reasons";
import { words } from "../../../../provider/deployment/plan/words";
import { differingParts, shortTexts } from "../../../../provider/resource/plan/display-value";
import { dialects, inputs } from "../arbitraries";
import { lineOf } from "../in-words";
import { planFrom } from "../plan-from";

const asItIs = (text: string) => text;

/** Strings that contain the syntax of a log line. */
const trap = fc
  .array(
    fc.constantFrom(
      "; ",
      ", ",
      ": ",
      " → ",
      "→",
      '"',
      "\\",
      "[",
      "]",
      " (",
      ")",
      "{",
      "}",
      "[replace]",
      "[secret]",
      "a",
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(""));

const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  trap,
  fc.constantFrom(
    "a, b",
    "v1; needs a new revision: z",
    "make [replace]; true",
    "x; is replaced [replace]; y",
    "x; is replaced (deleted first, with its threads, assistants, crons, and store): name a → b",
    "",
    '{"a":"; "}',
    "[true]",
    "[1",
    "…",
  ),
  fc.json(),
);

const value = fc.oneof(text, fc.jsonValue(), fc.constant(undefined));

const changes: fc.Arbitrary<DeploymentChange[]> = fc.array(
  fc
    .record({
      path: text,
      effect: fc.constantFrom<Effect>("replace", "confirm", "revision", "patch", "state"),
      unknown: fc.boolean(),
      values: fc.option(fc.record({ from: value, to: value }), { nil: undefined }),
    })
    .map(({ path, effect, unknown, values }) => ({
      path,
      effect,
      ...(unknown ? { unknown } : values && { values }),
    })),
);

/** Reasons for an arbitrary plan. */
const anyReasons = fc
  .record({ all: changes, failed: fc.boolean(), resumesWait: fc.boolean() })
  .map(({ all, failed, resumesWait }) => {
    const replaces = all.some(({ effect, unknown }) => effect === "replace" && !unknown);
    const newRevision = !replaces && (failed || all.some(({ effect }) => effect === "revision"));
    const outcome = { changes: all, replaces, newRevision, resumesWait, afterFailure: failed };
    return { ...outcome, reasons: reasonsFor(outcome) };
  });

/** Returns the changes as sorted JSON, for comparisons that ignore the order. */
const sorted = (all: object[]) => all.map((one) => JSON.stringify(one)).sort();

/** Returns a change in the same format as in a log line, with one entry for each part that differs. */
function shownChanges(
  { path, effect, unknown, values, summary }: DeploymentChange,
  replaces: boolean,
): object[] {
  const isAlong = replaces && (effect !== "replace" || unknown);
  const shown = { effect: isAlong ? "along" : effect, ...(unknown && { unknown }) };
  if (!values) return [{ path, ...(summary !== undefined && { summary }), ...shown }];
  return differingParts(path, values).map((part) => ({
    path: part.path,
    values: shortTexts(part, asItIs),
    ...shown,
  }));
}

test("reads back the reasons for a plan with arbitrary values", () => {
  fc.assert(
    fc.property(anyReasons, ({ changes: all, replaces, afterFailure, resumesWait, reasons }) => {
      const shown = readReasons(lineOf(reasons));

      expect(sorted(shown.changes)).toEqual(sorted(all.flatMap((change) => shownChanges(change, replaces))));
      expect(shown).toMatchObject({
        replaces,
        afterFailure: !replaces && afterFailure,
        resumesWait: !replaces && resumesWait,
        known: reasons.length,
        unread: [],
      });
    }),
  );
});

test("reads back the reasons for every plan", () => {
  const rollouts = fc.constantFrom<LastRollout>("deployed", "failed", "unsettled");
  fc.assert(
    fc.property(inputs, inputs, rollouts, dialects, (before, wanted, lastRollout, dialect) => {
      const steps = planFrom({ before, wanted, lastRollout, dialect });

      const shown = readReasons(`${lineOf(steps.reasons)}\n`);

      expect(shown.replaces).toBe(steps.action === "replace");
      expect(shown.unread).toEqual([]);
      expect(sorted(shown.changes)).toEqual(
        sorted(steps.changes.flatMap((change) => shownChanges(change, shown.replaces))),
      );
    }),
  );
});

test("returns a reason from a newer release unparsed, regardless of its values", () => {
  const newer = 'waits for an approval: a none → "x; is replaced [replace]; y" [approval]';
  expect(readReasons(`${newer}; needs a new revision: the last rollout failed [after-failure]`)).toEqual({
    replaces: false,
    createsFirst: false,
    afterFailure: true,
    resumesWait: false,
    lost: false,
    changes: [],
    known: 1,
    unread: [newer],
  });
});

test("returns a field code unparsed if no field is listed", () => {
  const { replaces, unread } = readReasons("is replaced [replace]");
  expect([replaces, unread]).toEqual([false, ["is replaced [replace]"]]);
});

test.each([
  "x: , [patch]",
  "x: ,, a [patch]",
  "x: a bcd [patch]",
  "x: a;b [patch]",
  String.raw`x: "\q" [patch]`,
])("returns %j unparsed, because no plan writes such a list", (line) => {
  expect(readReasons(line)).toMatchObject({ known: 0, changes: [], unread: [line] });
});

test("reads the code and the list, regardless of the wording", () => {
  const shown = readReasons(
    "a revision is built, because of these: sourceRevisionConfig.repoRef v1 → v2 [revision]; waits on [resumes-wait]",
  );
  expect(shown).toMatchObject({ resumesWait: true, known: 2, unread: [] });
  expect(shown.changes).toEqual([
    { path: "sourceRevisionConfig.repoRef", effect: "revision", values: { from: "v1", to: "v2" } },
  ]);
});

test.each(Object.entries(words))("reads back the current wording of the code %s", (code, text) => {
  const isNote = notes.some((one) => one === code);
  const shown = readReasons(`${isNote ? text : `${text}: name`} [${code}]`);
  expect(shown).toMatchObject({ known: 1, unread: [], changes: isNote ? [] : [{ path: "name" }] });
});

test("returns a note unparsed if a redaction has merged reasons into it", () => {
  const line =
    'patched: secrets.A, sourceConfig.buildCommand "run [secret] → none [patch]; changed secrets [secrets-later]';
  const shown = readReasons(line);
  expect(shown).toMatchObject({ known: 0, unread: [line] });
});

test("returns an unrecognized sentence unparsed, and parses the others", () => {
  const shown = readReasons(
    "does something new, a; needs a new revision: sourceRevisionConfig.repoRef v1 → v2 [revision]; does another thing",
  );
  expect(shown.unread).toEqual(["does something new, a", "does another thing"]);
  expect(shown.changes).toEqual([
    { path: "sourceRevisionConfig.repoRef", effect: "revision", values: { from: "v1", to: "v2" } },
  ]);
});

test("returns everything that it cannot parse, and never throws", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), trap), (garbage) => {
      const shown = readReasons(garbage);
      expect(shown.unread.length > 0 || garbage.replaceAll("; ", "").trim() === "").toBe(true);
    }),
  );
});

test("quotes values with spaces, and prints objects as JSON", () => {
  const base = { name: "agent", source: "github", sourceConfig: {}, sourceRevisionConfig: { repoRef: "v1" } };
  const wanted = { ...base, name: "my agent", sourceConfig: { resourceSpec: { cpu: 2, memory: "1Gi" } } };
  const steps = planFrom({ before: base, wanted, lastRollout: "deployed", dialect: interfaceDialect });
  expect(lineOf(steps.reasons)).toBe(
    'is replaced (the new deployment is created first, and then the old one is deleted with its threads, assistants, crons, and store): name agent → "my agent" [replace-create-first]; ' +
      'changes as part of the replacement: sourceConfig.resourceSpec none → {"cpu":2,"memory":"1Gi"} [along]',
  );
});

test.each([
  [
    "x: name a → b [replace]",
    {
      replaces: true,
      createsFirst: false,
      changes: [{ path: "name", values: { from: "a", to: "b" }, effect: "replace" }],
    },
  ],
  [
    "x: name [replace-create-first]",
    { replaces: true, createsFirst: true, changes: [{ path: "name", effect: "replace" }] },
  ],
  ["x: name [patch?]", { replaces: false, changes: [{ path: "name", effect: "patch", unknown: true }] }],
  ["x: name [patch]", { replaces: false, createsFirst: false, changes: [{ path: "name", effect: "patch" }] }],
  ["x [taken-back]", { takenBack: "without-revision", lost: false, changes: [] }],
  ["x [taken-back-with-revision]", { takenBack: "with-revision", changes: [] }],
  ["x [lost]", { lost: true, afterFailure: false, resumesWait: false, known: 1, unread: [] }],
])("reads %s", (line, expected) => {
  expect(readReasons(line)).toMatchObject(expected);
  expect("takenBack" in readReasons(line)).toBe("takenBack" in expected);
});
