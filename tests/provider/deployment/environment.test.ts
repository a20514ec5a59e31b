import { fc } from "../../properties";
import {
  environmentToWire,
  hasVariables,
  reportedVariables,
  wholeEnvironment,
} from "../../../provider/deployment/environment";
import { type DeploymentRecord, formatTag } from "../../../wire";

type Values = Record<string, string>;
const holder = { organization: "", project: "shop", stack: "prod", resource: "agent" };
const tagOf = (ownerId: string, variables?: string[]) =>
  formatTag({ ownerId, revisions: 1, since: "2026-01-01T00:00:00.000Z", holder, variables });

/** Returns a record with these variables. If a variable is null, its value is not reported. */
function recordOf(
  values: Record<string, string | null>,
  tag: string | null = tagOf("owner"),
): DeploymentRecord {
  const secrets = Object.entries(values).map(([name, value]) => ({ name, value }));
  const marked = tag === null ? [] : [{ name: "AGENTSERVER_OWNER", value: tag }];
  return { id: "d", latest_revision_id: "r", secrets: [...secrets, ...marked] };
}

const ours = { ownerId: "owner", isUnset: false };
const names = fc.constantFrom("A", "B", "C", "__proto__", "constructor");
const variables = fc.dictionary(names, fc.constantFrom("1", "2", "***", ""));

test("sends exactly the program's secrets and plain variables if it manages secrets", () => {
  fc.assert(
    fc.property(variables, variables, variables, fc.boolean(), (secrets, plain, theirs, isMasked) => {
      const record = recordOf(theirs, isMasked ? "***" : tagOf("owner"));
      const sent = wholeEnvironment({ secrets, environmentVariables: plain }, {}, record, ours)!;
      expect(Object.entries(sent).sort()).toEqual(Object.entries({ ...secrets, ...plain }).sort());
    }),
  );
});

test("keeps others' variables, and removes its own, if the program does not manage secrets", () => {
  fc.assert(
    fc.property(variables, variables, variables, variables, (plain, known, tagged, theirs) => {
      const record = recordOf(theirs, tagOf("owner", Object.keys(tagged)));
      const sent = wholeEnvironment(
        { environmentVariables: plain },
        { environmentVariables: known },
        record,
        ours,
      )!;
      const expected = new Map(Object.entries(theirs));
      for (const name of [...Object.keys(known), ...Object.keys(tagged)]) expected.delete(name);
      for (const [name, value] of Object.entries(plain)) expected.set(name, value);
      expect(new Map(Object.entries(sent))).toEqual(expected);
    }),
  );
});

test.each<[string, DeploymentRecord, Values | undefined]>([
  ["keeps the reported values", recordOf({ A: "1", B: "2" }), { A: "x", B: "2" }],
  [
    "keeps variables that another resource's tag lists",
    recordOf({ B: "2" }, tagOf("other", ["B"])),
    { A: "x", B: "2" },
  ],
  ["returns undefined if the values are masked", recordOf({ B: "2" }, "[masked]"), undefined],
  ["returns undefined if there is no tag", recordOf({ B: "2" }, null), undefined],
  ["returns undefined if a value is not reported", recordOf({ B: null }), undefined],
  ["returns undefined if the server reports no variables", { id: "d", latest_revision_id: "r" }, undefined],
  ["does not need masked values if no variable is kept", recordOf({ A: "1" }, "[masked]"), { A: "x" }],
  ["does not need a tag if there are no variables", recordOf({}, null), { A: "x" }],
])("%s", (_, record, expected) => {
  expect(wholeEnvironment({ environmentVariables: { A: "x" } }, undefined, record, ours)).toEqual(expected);
});

test("sends only its own variables if no revision exists and no other client could set any", () => {
  const record = { id: "d", secrets: [] };
  const inputs = { environmentVariables: { A: "x" } };
  expect(wholeEnvironment(inputs, undefined, record, { ...ours, isUnset: true })).toEqual({ A: "x" });
  expect(wholeEnvironment(inputs, undefined, record, ours)).toBeUndefined();
});

test("keeps everything if the program manages nothing", () => {
  const record = recordOf({ A: "1", B: "2" }, tagOf("owner", ["A"]));
  expect(wholeEnvironment({}, { environmentVariables: { A: "1" } }, record, ours)).toEqual({
    A: "1",
    B: "2",
  });
});

test.each<[string, DeploymentRecord, boolean]>([
  ["contains exactly these", recordOf({ A: "1", B: "***" }), true],
  ["contains another one", recordOf({ A: "1", B: "***", C: "3" }), false],
  ["lacks one", recordOf({ A: "1" }), false],
  ["contains a different value", recordOf({ A: "1", B: "2" }), false],
  ["masks their values", recordOf({ A: "1", B: "***" }, "***"), false],
  ["has no tag", recordOf({ A: "1", B: "***" }, null), false],
  ["reports no variables", { id: "d" }, false],
])("compares the given variables with a record that %s", (_, record, expected) => {
  expect(hasVariables(record, { A: "1", B: "***" })).toBe(expected);
});

test.each<[string, DeploymentRecord, Values | undefined]>([
  ["values in plain text", recordOf({ A: "***" }), { A: "***" }],
  ["values without a tag", recordOf({ A: "1" }, null), { A: "1" }],
  ["masked values", recordOf({ A: "1" }, "***"), undefined],
  ["values masked as empty strings", recordOf({ A: "" }, ""), undefined],
  ["only some values", recordOf({ A: "1", B: null }), undefined],
  ["no variables", { id: "d", secrets: [] }, undefined],
])("determines the values if a record reports %s", (_, record, expected) => {
  expect(reportedVariables(record)).toEqual(expected);
});

test("sends variables with the names of properties that JavaScript objects inherit", () => {
  const values = JSON.parse('{"__proto__": "1", "constructor": "2"}') as Values;
  expect(environmentToWire(values, "tag")).toEqual([
    { name: "__proto__", value: "1" },
    { name: "constructor", value: "2" },
    { name: "AGENTSERVER_OWNER", value: "tag" },
  ]);
});

test.each([37, 40, 60, 85])(
  "does not send values back if the tag shows that they are shortened to %d characters",
  (length) => {
    const cut = (value: string) => (value.length > length ? `${value.slice(0, length)}…` : value);
    const tag = formatTag({
      ownerId: "3b241101-e2bb-4255-8caf-4136c566a962",
      revisions: 1,
      since: "2026-01-01T00:00:00.000Z",
      holder: { organization: "acme", project: "shop", stack: "prod", resource: "support-agent" },
    });
    const record = recordOf({ THEIRS: cut("x".repeat(200)) }, cut(tag));
    expect(reportedVariables(record)).toBeUndefined();
    expect(
      wholeEnvironment({ environmentVariables: { MODE: "a" } }, undefined, record, ours),
    ).toBeUndefined();
  },
);
