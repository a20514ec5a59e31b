import {
  commonWords,
  listChanges,
  logLine,
  reasonsAbout,
  type Change,
  type CommonCode,
  type CommonEffect,
  type Words,
} from "../../../../provider/resource/plan";
import { readLine } from "../../../../provider/resource/plan/read-line";
import { redactor } from "../../../../provider/text/redact";

/** Words of a kind that has an additional reason, and its own wording for a common reason. */
const words: Words<CommonCode | "paused"> = {
  ...commonWords,
  patch: "its schedule changes",
  paused: "starts no runs for now",
};

const changes: Change<CommonEffect>[] = [
  { path: "schedule", effect: "patch", values: { from: "0 8 * * *", to: "hourly" } },
  { path: "note", effect: "state" },
];

test("prints the kind's wording for its own codes, and the common wording for all others", () => {
  const reasons = [...reasonsAbout(changes, false)("patch", "state"), { code: "paused" as const }];
  expect(logLine(reasons, words, (text) => text)).toBe(
    'its schedule changes: schedule "0 8 * * *" → hourly [patch]; ' +
      "stored in state (no request is sent): note [state]; starts no runs for now [paused]",
  );
});

test("requires wording for each code at compile time", () => {
  // @ts-expect-error there is no word for `paused`
  const incomplete: Words<CommonCode | "paused"> = { ...commonWords };
  expect(Object.keys(incomplete)).not.toContain("paused");
});

test("lists the fields that cause a replacement, and the fields that also change", () => {
  const all: Change<CommonEffect>[] = [
    { path: "graph", effect: "replace", values: { from: "a", to: "b" } },
    ...changes,
  ];
  expect(logLine(reasonsAbout(all, true)("replace", "along"), words, (text) => text)).toBe(
    'is replaced: graph a → b [replace]; changes as part of the replacement: schedule "0 8 * * *" → hourly, note [along]',
  );
});

test("lists only the parts of JSON values that differ, by path", () => {
  const change = {
    path: "input",
    effect: "patch" as const,
    values: {
      from: { messages: [{ role: "user", content: "Hi" }], depth: 1, tags: ["a"], old: true },
      to: { messages: [{ role: "user", content: "Hello" }], depth: 1, tags: ["a", "b"], "a b": { c: 1 } },
    },
  };
  const line = logLine([{ code: "patch" as const, changes: [change] }], words, (text) => text);
  expect(line).toBe(
    "its schedule changes: input.messages[0].content Hi → Hello, " +
      'input.tags ["a"] → ["a","b"], input.old true → none, "input.a b" none → {"c":1} [patch]',
  );
  expect(readLine(line, { words, notes: ["paused"] }).reasons[0]!.changes.map(({ path }) => path)).toEqual([
    "input.messages[0].content",
    "input.tags",
    "input.old",
    "input.a b",
  ]);
});

test("distinguishes `null` from a missing value if that is the only difference", () => {
  const listed = (from: unknown, to: unknown) =>
    listChanges([{ path: "input", values: { from, to } }], (text) => text);
  expect(listed(undefined, null)).toBe("input none → null");
  expect(listed(null, undefined)).toBe("input null → none");
  expect(listed("a", null)).toBe("input a → none");
});

test("shows only the number of differing parts if there are too many", () => {
  const numbered = (count: number, value: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, value]));
  const line = (count: number) =>
    listChanges(
      [{ path: "input", values: { from: numbered(count, 1), to: numbered(count, 2) } }],
      (text) => text,
    );
  expect(line(20)).toMatch(/^input\.n0 1 → 2, .*, input\.n19 1 → 2$/);
  expect(line(21)).toBe("input (21 parts changed)");
});

test("describes changes with unreadable values in words that can be parsed back", () => {
  const names = ['d", e) [patch]; f', "b", "key-4711", ...Array.from({ length: 11 }, (_, at) => `n${at}`)];
  const all: Change<CommonEffect>[] = [
    { path: "items", effect: "patch", summary: { added: names, changed: ["c"], removed: [] } },
    { path: "hash", effect: "patch", summary: "the contents changed" },
    ...changes.slice(0, 1),
  ];
  const line = logLine(reasonsAbout(all, false)("patch"), words, redactor(["key-4711"]));
  const summary =
    '14 new: "d\\", e) [patch]; f", b, [secret], n0, n1, n2, n3, n4, n5, n6, 4 more, and 1 changed: c';
  expect(line).toBe(
    `its schedule changes: items (${summary}), hash (the contents changed), ` +
      'schedule "0 8 * * *" → hourly [patch]',
  );
  expect(readLine(line, { words, notes: ["paused"] })).toEqual({
    reasons: [
      {
        code: "patch",
        changes: [
          { path: "items", summary },
          { path: "hash", summary: "the contents changed" },
          { path: "schedule", values: { from: "0 8 * * *", to: "hourly" } },
        ],
      },
    ],
    unread: [],
  });
});

test("removes secrets from paths and values, but not from texts and codes", () => {
  const reasons = reasonsAbout<CommonEffect>(
    [{ path: "labels.patch", effect: "patch", values: { from: "its schedule", to: "patch" } }],
    false,
  )("patch");
  expect(logLine(reasons, words, redactor(["patch", "its schedule", "changes"]))).toBe(
    "its schedule changes: labels.[secret] [secret] → [secret] [patch]",
  );
  expect(
    logLine(
      [
        {
          code: "patch",
          changes: [{ path: "a", effect: "patch", values: { from: "canary1", to: "[canary" } }],
        },
      ],
      words,
      redactor(["canary"]),
    ),
  ).toBe('its schedule changes: a [secret]1 → "[[secret]" [patch]');
});
