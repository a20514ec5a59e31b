import { type FieldRules, merge } from "../../../provider/resource/merge";

interface Inputs {
  name?: string | null;
  metadata?: Record<string, unknown> | null;
  context?: Record<string, unknown> | null;
  until?: string | null;
  ttl?: number | null;
  adopt?: string;
}

const rules: FieldRules = {
  name: {},
  metadata: { counts: "entries" },
  context: {},
  until: { isSame: (one, other) => Date.parse(one as string) === Date.parse(other as string) },
  ttl: {},
};

type Row = [title: string, state: Inputs | undefined, reported: object, wanted: Inputs, current: Inputs];

const rows: Row[] = [
  ["keeps an unreported value from state", { ttl: 5 }, {}, { ttl: 9 }, { ttl: 5 }],
  ["does not use the desired value of an unreported field", {}, {}, { ttl: 9 }, {}],
  ["does not use the desired value of an unreported field without a state", undefined, {}, { ttl: 9 }, {}],
  ["ignores an unmanaged field", {}, { name: "theirs" }, {}, {}],
  [
    "returns a value that others changed",
    { name: "a" },
    { name: "theirs" },
    { name: "a" },
    { name: "theirs" },
  ],
  ["returns the desired value if others set it", { name: "a" }, { name: "b" }, { name: "b" }, { name: "b" }],
  [
    "returns the reported value of a field that is managed for the first time",
    {},
    { name: "theirs" },
    { name: "a" },
    { name: "theirs" },
  ],
  [
    "returns null for a field that others cleared",
    { name: "a" },
    { name: null },
    { name: "a" },
    { name: null },
  ],
  ["keeps a field that is still cleared", { name: null }, { name: "" }, { name: null }, { name: null }],
  [
    "returns an entry that the program removed, even if others changed it",
    { metadata: { a: 1, b: 1 } },
    { metadata: { a: 1, b: 2 } },
    { metadata: { a: 1 } },
    { metadata: { a: 1, b: 2 } },
  ],
  [
    "omits an entry that others have already removed",
    { metadata: { a: 1, b: 1 } },
    { metadata: { a: 1 } },
    { metadata: { a: 1 } },
    { metadata: { a: 1 } },
  ],
  [
    "ignores foreign entries",
    { metadata: { a: 1 } },
    { metadata: { a: 1, theirs: 1 } },
    { metadata: { a: 1 } },
    { metadata: { a: 1 } },
  ],
  [
    "returns foreign entries that the program now declares",
    undefined,
    { metadata: { a: 2, theirs: 1 } },
    { metadata: { a: 1 } },
    { metadata: { a: 2 } },
  ],
  [
    "keeps a cleared map that contains only foreign entries",
    { metadata: null },
    { metadata: { theirs: 1 } },
    { metadata: null },
    { metadata: null },
  ],
  [
    "treats an entry that is null as missing",
    { metadata: { a: null } },
    { metadata: {} },
    { metadata: { a: null } },
    { metadata: { a: null } },
  ],
  [
    "returns every entry of a map that belongs to one resource",
    { context: { a: 1 } },
    { context: { a: 1, theirs: 1 } },
    { context: { a: 1 } },
    { context: { a: 1, theirs: 1 } },
  ],
  [
    "keeps a value that is reported in another format",
    { until: "2027-01-01T00:00:00Z" },
    { until: "2027-01-01T00:00:00+00:00" },
    { until: "2027-01-01T00:00:00Z" },
    { until: "2027-01-01T00:00:00Z" },
  ],
  [
    "returns the reported value of a field that the program no longer declares",
    { name: "a" },
    { name: "theirs" },
    {},
    { name: "theirs" },
  ],
  [
    "returns an empty map if others removed all entries",
    { metadata: { a: 1 } },
    { metadata: { theirs: 1 } },
    { metadata: { a: 1 } },
    { metadata: {} },
  ],
  [
    "returns null if others cleared a map with entries",
    { metadata: { a: 1 } },
    { metadata: null },
    { metadata: { a: 1 } },
    { metadata: null },
  ],
  [
    "does not treat a null entry as missing if the map belongs to one resource",
    { context: { a: null } },
    { context: {} },
    { context: { a: null } },
    { context: {} },
  ],
  ["keeps fields that no server reports", { adopt: "always" }, {}, {}, { adopt: "always" }],
];

test.each(rows)("%s", (_title, state, reported, wanted, current) => {
  expect(merge<Inputs>(rules, state, reported, wanted)).toEqual(current);
});
