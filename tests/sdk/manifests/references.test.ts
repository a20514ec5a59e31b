import { fc } from "../../properties";
import {
  holdsReference,
  literally,
  parseReferences,
  secretReference,
} from "../../../sdk/manifests/references";
import { manifestText, parsed } from "./manifest-text";

test.each([
  ["plain", [{ literal: "plain" }]],
  ["", []],
  ["${secret:modelKey}", [{ kind: "secret", name: "modelKey" }]],
  ["${env:HOME_1}", [{ kind: "env", name: "HOME_1" }]],
  [
    "pg://${env:USER}:${secret:db.password-2}@db",
    [
      { literal: "pg://" },
      { kind: "env", name: "USER" },
      { literal: ":" },
      { kind: "secret", name: "db.password-2" },
      { literal: "@db" },
    ],
  ],
  ["$${secret:a}", [{ literal: "${secret:a}" }]],
  ["$$${env:A}", [{ literal: "$${env:A}" }]],
  ["$ $$ {a} $5 }", [{ literal: "$ $$ {a} $5 }" }]],
])("parses %j", (text, parts) => {
  expect(parseReferences(text)).toEqual({ parts });
});

test.each([
  ["${secret:a", "contains an unclosed reference"],
  ["${", "contains an unclosed reference"],
  ["${secret:a ${env:B}", "contains an unclosed reference"],
  ["${}", "without a kind"],
  ["${HOME}", "without a kind"],
  ["${vault:a}", "unknown kind"],
  ["${Secret:a}", "unknown kind"],
  ["${ env:A}", "unknown kind"],
  ["${:a}", "unknown kind"],
  ["${secret:}", "is not valid for a configuration value"],
  ["${secret:a b}", "is not valid for a configuration value"],
  ["${secret:project:a}", "is not valid for a configuration value"],
  ["${env:A-B}", "is not valid for a variable"],
  ["${env:1A}", "is not valid for a variable"],
])("rejects %j", (text, fault) => {
  expect(parseReferences(text)).toEqual({ fault: expect.stringContaining(fault) });
});

const trickyText = fc.string({
  unit: fc.constantFrom("$", "{", "}", "secret:", "env:", "A", "b", "\n", "ä"),
});

test("parses any escaped string as the original string", () => {
  fc.assert(
    fc.property(trickyText, (text) => {
      expect(parseReferences(literally(text))).toEqual({ parts: text === "" ? [] : [{ literal: text }] });
      expect(holdsReference(literally(text))).toBe(false);
    }),
  );
});

test("parses a reference between any escaped strings", () => {
  fc.assert(
    fc.property(trickyText, trickyText, (before, after) => {
      // A literal $ cannot precede a reference, because $${ is an escaped ${.
      fc.pre(!before.endsWith("$"));
      const text = literally(before) + secretReference("key") + literally(after);
      const parts = (parseReferences(text) as { parts: unknown[] }).parts;
      expect(parts).toEqual([
        ...(before ? [{ literal: before }] : []),
        { kind: "secret", name: "key" },
        ...(after ? [{ literal: after }] : []),
      ]);
    }),
  );
});

test("treats a string with a reference as text, and does not check its value", () => {
  const { faults } = parsed(
    manifestText("adopt: '${env:ADOPT}'\nrollout: { timeout: '${env:TIME}', wait: '${env:WAIT}' }"),
  );
  expect(faults).toEqual([
    "a.yaml:9:44: spec.rollout.wait: invalid input: expected boolean, received string; the value of a reference is always a string",
  ]);
});

test.each([
  ["adopt: '${vault:x}'", /^a\.yaml:8:10: spec\.adopt: contains an unknown kind of reference/],
  [
    "rollout: { triggers: [{ deep: '${HOME' }] }",
    /^a\.yaml:8:33: spec\.rollout\.triggers\.0\.deep: .*contains an unclosed reference/,
  ],
  ["secrets: { '${env:A}': x }", /^a\.yaml:8:14: spec\.secrets\.\$\{env:A\}: /],
])("reports %j with its location", (spec, fault) => {
  expect(parsed(manifestText(spec)).faults[0]).toMatch(fault);
});

test.each(["${env:STAGE}-agent", "$${x}"])("rejects the resource name %j", (name) => {
  expect(parsed(manifestText("", `"${name}"`)).faults).toContain(
    "a.yaml:3:19: metadata.name: cannot contain a reference, because this field identifies the resource",
  );
});

test("rejects a secret in the file, and explains how to store it", () => {
  const { faults } = parsed(
    manifestText(
      "secrets:\n  MODEL_KEY: sk-canary\n  EMPTY: ''\n  GOOD: ${secret:good}\n  ESCAPED: $${secret:x}",
    ),
  );
  expect(faults).toEqual([
    "a.yaml:9:16: spec.secrets.MODEL_KEY: is a plaintext value, but manifests must not contain secrets: run " +
      "`pulumi config set --secret MODEL_KEY` and write ${secret:MODEL_KEY} here",
    expect.stringMatching(/^a\.yaml:10:12: spec\.secrets\.EMPTY: is a plaintext value/),
    expect.stringMatching(/^a\.yaml:12:14: spec\.secrets\.ESCAPED: is a plaintext value/),
  ]);
});
