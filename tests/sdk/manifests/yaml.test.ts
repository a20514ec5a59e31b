import { Alias } from "yaml";
import { manifestText, parsed } from "./manifest-text";

test.each([
  ["a duplicate field", "adopt: never\nadopt: always", "a.yaml:9:3: this field is specified twice"],
  ["a tag", "adopt: !!str never", "a.yaml:8:16: a tag (!…) cannot be used here"],
  ["a custom tag", "adopt: !vault never", /^a\.yaml:8:\d+: a tag \(!…\) cannot be used here$/],
  ["a tag on a map", "rollout: !!map {}", "a.yaml:8:18: a tag (!…) cannot be used here"],
  [
    "a field named __proto__",
    "sourceConfig2: { __proto__: { a: 1 } }",
    "a.yaml:8:20: __proto__ is not allowed as a field name",
  ],
  ["a value that is not a number", "rollout: { triggers: [.nan] }", /a\.yaml:8:25: is not a finite number/],
  [
    "a commit that looks like a number",
    "rollout: { triggers: [12e4567] }",
    /a\.yaml:8:25: is not a finite number/,
  ],
  [
    "a number that loses digits",
    "rollout: { triggers: [12345678901234567890] }",
    /a\.yaml:8:25: is a number that is too large/,
  ],
  [
    "an alias without an anchor",
    "adopt: *never",
    "a.yaml:8:10: is not valid YAML: an alias has no anchor before it",
  ],
  [
    "an alias inside the value that it refers to",
    "rollout: &self { triggers: [*self] }",
    "a.yaml:8:31: an alias is inside the value that it refers to",
  ],
  ["a field name that is a list", "? [a]\n: b", /a\.yaml:8:\d+: field names must be strings/],
  ["an unclosed quote", "adopt: 'never", /a\.yaml:\d+:\d+: is not valid YAML: Missing closing 'quote/],
  [
    "an invalid escape sequence",
    'adopt: "\\canary"',
    /a\.yaml:8:\d+: is not valid YAML: invalid escape sequence/,
  ],
])("reports %s with its location", (_, spec, fault) => {
  const { faults, deployments } = parsed(manifestText(spec));
  expect(faults[0]).toEqual(typeof fault === "string" ? fault : expect.stringMatching(fault));
  expect(deployments).toEqual([]);
});

test("accepts anchors and aliases, and reports an error at the anchor", () => {
  const text = (type: string) =>
    manifestText(`rollout: &limits { timeout: 20m }`).replace("{ repoRef: v1 }", "&source { repoRef: v1 }") +
    `---\n${manifestText("", "two").replace("{ repoUrl", "&config { repoUrl")}  rollout:\n    triggers: [&t {a: ${type}}, *t]\n`;
  const { faults, deployments } = parsed(text("1"));
  expect(faults).toEqual([]);
  expect(deployments[1]!.spec.rollout).toEqual({ triggers: [{ a: 1 }, { a: 1 }] });

  expect(parsed(manifestText("name: &n ''\nadopt: *n")).faults).toEqual([
    "a.yaml:8:12: spec.name: must not be empty",
    expect.stringMatching(/^a\.yaml:9:10: spec\.adopt: invalid option/),
  ]);
});

test("rejects an alias whose anchor is in another document", () => {
  expect(parsed(`${manifestText("name: &n one")}---\n${manifestText("name: *n", "two")}`).faults).toEqual([
    "a.yaml:17:9: is not valid YAML: an alias has no anchor before it",
  ]);
});

test("rejects aliases that expand to too much content", () => {
  const levels = Array.from({ length: 12 }, (_, level) =>
    level === 0 ? "- &a0 [x]" : `- &a${level} [${`*a${level - 1},`.repeat(10)}]`,
  );
  const { faults } = parsed(
    manifestText(`rollout:\n  triggers:\n${levels.map((line) => `    ${line}\n`).join("")}`),
  );
  expect(faults).toEqual(["a.yaml:1:1: its aliases expand to too much content"]);
});

test.each([70, 5_000, 100_000])("rejects nesting of %d levels", (depth) => {
  const { faults } = parsed(manifestText(`rollout: { triggers: ${"[".repeat(depth)}1${"]".repeat(depth)} }`));
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(/^a\.yaml:\d+:\d+: is nested too deeply$/);
});

test("rejects a file that is too long without parsing it", () => {
  expect(parsed(manifestText() + "#".repeat(1024 * 1024)).faults).toEqual([
    "a.yaml:1:1: the file is larger than 1 MiB",
  ]);
});

test("does not modify other objects through __proto__", () => {
  parsed(manifestText("__proto__: { polluted: true }"));
  parsed(manifestText('"__proto__": { polluted: true }'), manifestText("__proto__: { polluted: true }"));
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test("does not repeat manifest text in errors", () => {
  const canary = "canary-4711";
  const texts = [
    `secrets: { KEY: ${canary} }`,
    `secrets: { KEY: "\${${canary}" }`,
    `secrets: { KEY: "\${${canary}}" }`,
    `secrets: { KEY: "\${${canary}:a}" }`,
    `secrets: { KEY: "\${env:${canary}}" }`,
    `secrets: { KEY: *${canary} }`,
    `secrets: { KEY: !${canary} x }`,
    `secrets: { KEY: "\\q${canary}" }`,
    `secrets: { KEY: '${canary} }`,
    `secrets: { KEY: [${canary}] }`,
    `secrets: ${canary}`,
    `secrets: |4x${canary}\n  x`,
    `adopt: ${canary}`,
    `rollout: { timeout: ${canary} }`,
  ];
  for (const text of texts) {
    const { faults } = parsed(manifestText(text));
    expect(faults).not.toEqual([]);
    expect(faults.join("\n")).not.toContain(canary);
  }
});

test("rejects a document with more than 10,000 fields", () => {
  const fields = Array.from({ length: 10_001 }, (_, index) => `k${index}: 1`).join(", ");
  expect(parsed(manifestText(`sourceConfig2: { ${fields} }`)).faults).toContain(
    "a.yaml:1:1: has more than 10000 fields",
  );
});

test("rejects a document with more than 1,000 aliases", () => {
  const aliases = Array.from({ length: 1001 }, () => "*a").join(", ");
  expect(parsed(manifestText(`sourceConfig2: { first: &a x, others: [${aliases}] }`)).faults).toEqual([
    "a.yaml:1:1: has more than 1000 aliases",
  ]);
});

test("resolves an alias only once for all errors in its value", () => {
  const resolve = jest.spyOn(Alias.prototype, "resolve");
  const fields = Array.from({ length: 200 }, (_, index) => `KEY_${index}: value`).join(", ");
  const { faults } = parsed(manifestText(`secrets2: &s { ${fields} }\nsecrets: *s`));
  expect(faults.length).toBeGreaterThan(200);
  expect(resolve.mock.calls.length).toBeLessThan(10);
});

test("finds duplicate fields at every level, even if named like an inherited property", () => {
  expect(
    parsed(manifestText("rollout: { toString: 1, toString: 2 }\nadopt: never\nadopt: never")).faults,
  ).toEqual(
    expect.arrayContaining([
      "a.yaml:8:27: this field is specified twice",
      "a.yaml:10:3: this field is specified twice",
    ]),
  );
});
