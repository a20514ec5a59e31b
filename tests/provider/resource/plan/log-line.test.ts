import {
  commonWords,
  logLine,
  reasonsAbout,
  type Change,
  type CommonCode,
  type CommonEffect,
  type Words,
} from "../../../../provider/resource/plan";
import { redactor } from "../../../../provider/text/redact";

/** A kind with an additional reason, and its own text for another. */
const words: Words<CommonCode | "paused"> = {
  ...commonWords,
  patch: "its schedule changes",
  paused: "starts no runs for now",
};

const changes: Change<CommonEffect>[] = [
  { path: "schedule", effect: "patch", values: { from: "0 8 * * *", to: "hourly" } },
  { path: "note", effect: "state" },
];

test("prints the words of the kind for its own codes, and common words for the others", () => {
  const reasons = [...reasonsAbout(changes, false)("patch", "state"), { code: "paused" as const }];
  expect(logLine(reasons, words, (text) => text)).toBe(
    'its schedule changes: schedule "0 8 * * *" → hourly [patch]; ' +
      "kept in state, nothing is sent: note [state]; starts no runs for now [paused]",
  );
});

test("requires a word for each code at compile time", () => {
  // @ts-expect-error there is no word for `paused`
  const incomplete: Words<CommonCode | "paused"> = { ...commonWords };
  expect(Object.keys(incomplete)).not.toContain("paused");
});

test("lists the fields that replace, and those that change along", () => {
  const all: Change<CommonEffect>[] = [
    { path: "graph", effect: "replace", values: { from: "a", to: "b" } },
    ...changes,
  ];
  expect(logLine(reasonsAbout(all, true)("replace", "along"), words, (text) => text)).toBe(
    'is replaced: graph a → b [replace]; changes along with it: schedule "0 8 * * *" → hourly, note [along]',
  );
});

test("removes secrets from paths and values, but not from words and codes", () => {
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
