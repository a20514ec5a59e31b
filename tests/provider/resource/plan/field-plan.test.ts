import { kinds } from "../../../../provider/kinds";
import { managed, planByFields, replacesInPlace } from "../../../../provider/resource/plan/field-plan";
import { notKnownYet } from "../../../../provider/resource/inputs/unknown";

interface Options {
  isSecret?: (path: string) => boolean;
  replacesOn?: (path: string) => boolean;
}

function planOf(state: object, wanted: object, { isSecret, replacesOn }: Options = {}) {
  return planByFields(
    {
      itemId: "replace",
      context: managed("patch"),
      limit: (_from, to) => (to === null ? "replace" : "patch"),
    },
    { state, wanted, isSecret: isSecret ?? (() => false), replacesOn: replacesOn ?? (() => false) },
    replacesInPlace("itemId"),
  );
}

const here = { deployment: { id: "d1", url: "https://d1.example.com" } };

test.each<[string, object, object, string, string[]]>([
  ["no change to an unchanged value", { ...here, limit: 1 }, { ...here, limit: 1 }, "none", []],
  ["a value that changed", { ...here, limit: 1 }, { ...here, limit: 2 }, "update", ["limit: patch"]],
  ["an effect that depends on the value", { limit: 1 }, { limit: null }, "replace", ["limit: replace"]],
  [
    "an object by its leaves",
    { context: { a: 1, b: 1 } },
    { context: { a: 1, b: 2, c: 3 } },
    "update",
    ["context.b: patch", "context.c: patch"],
  ],
  [
    "a key that is removed from an object",
    { context: { a: 1, b: 1 } },
    { context: { a: 1 } },
    "update",
    ["context.b: patch"],
  ],
  [
    "a list as one value",
    { context: { a: [1, 2] } },
    { context: { a: [2, 1] } },
    "update",
    ["context.a: patch"],
  ],
  ["an object that replaces a value", { context: 1 }, { context: { a: 1 } }, "update", ["context: patch"]],
  ["a field that is no longer managed", { context: 1 }, {}, "update", ["context: state"]],
  ["a value that is not known yet", { limit: 1 }, { limit: notKnownYet }, "update", ["limit: patch?"]],
  [
    "an unknown value inside an object",
    { context: { a: 1, b: 1 } },
    { context: { a: notKnownYet, b: 1 } },
    "update",
    ["context.a: patch?"],
  ],
  [
    "an unknown value inside a list",
    { context: [1] },
    { context: [notKnownYet] },
    "update",
    ["context: patch?"],
  ],
  ["an id that is not known yet", { itemId: "1" }, { itemId: notKnownYet }, "update", ["itemId: replace?"]],
  [
    "another deployment",
    here,
    { deployment: { id: "d2", url: "https://d2.example.com" } },
    "replace",
    ["deployment.id: replace", "deployment.url: state"],
  ],
  [
    "a deployment that is still to be created",
    here,
    { deployment: { id: notKnownYet, url: notKnownYet } },
    "replace",
    ["deployment.id: replace"],
  ],
  [
    "another address of the same deployment",
    here,
    { deployment: { id: "d1", url: "https://new.example.com" } },
    "update",
    ["deployment.url: state"],
  ],
  [
    "another server",
    { connection: { url: "https://a.example.com" } },
    { connection: { url: "https://b.example.com" } },
    "replace",
    ["connection.url: replace"],
  ],
  [
    "another key of the same server",
    { connection: { url: "u", apiKeyFrom: "a" } },
    { connection: { url: "u", apiKeyFrom: "b" } },
    "update",
    ["connection.apiKeyFrom: state"],
  ],
])("plans %s", (_case, state, wanted, action, expected) => {
  const plan = planOf(state, wanted);
  expect([
    plan.action,
    plan.changes.map(({ path, effect, unknown }) => `${path}: ${effect}${unknown ? "?" : ""}`),
  ]).toEqual([action, expected]);
});

test("shows values unless they are secret or unknown", () => {
  const { changes } = planOf(
    { context: { a: 1, key: "old" }, limit: 1 },
    { context: { a: 2, key: "new" }, limit: notKnownYet },
    { isSecret: (path) => path === "context.key" },
  );
  expect(changes).toEqual([
    { path: "context.a", effect: "patch", values: { from: 1, to: 2 } },
    { path: "context.key", effect: "patch" },
    { path: "limit", effect: "patch", unknown: true },
  ]);
});

test("replaces the resource if the program requests a replacement for a changed path", () => {
  const { action, reasons } = planOf(
    { context: 1, limit: 1 },
    { context: 2, limit: 2 },
    { replacesOn: (path) => path === "limit" },
  );
  expect(action).toBe("replace");
  expect(reasons.map(({ code, changes }) => [code, changes?.map(({ path }) => path)])).toEqual([
    ["replace", ["limit"]],
    ["along", ["context"]],
  ]);
});

test("lists the reasons for every effect, the most severe first", () => {
  const state = {
    ...here,
    connection: { url: "u", apiKeyFrom: "a" },
    context: { a: 1, b: 1 },
    itemId: "1",
    limit: 1,
  };
  const wanted = { connection: { url: "u", apiKeyFrom: notKnownYet }, context: { a: notKnownYet, b: 2 } };
  const codesOf = (change: object) => planOf(state, { ...wanted, ...change }).reasons.map(({ code }) => code);
  const deployment = { id: "d1", url: "https://new.example.com" };
  expect(codesOf({ deployment, itemId: notKnownYet, limit: 1 })).toEqual([
    "replace?",
    "patch",
    "patch?",
    "state",
    "state?",
  ]);
  expect(codesOf({ deployment, itemId: "1", limit: null })).toEqual(["replace", "along", "along?"]);
});

test.each<[string, object, object, boolean]>([
  ["under another id", { ...here, itemId: "1" }, { ...here, itemId: "2" }, false],
  ["on another deployment", { ...here, itemId: "1" }, { deployment: { id: "d2" }, itemId: "1" }, false],
  ["under the same id", { limit: 1 }, { limit: null }, true],
  [
    "on another address, which may be the same server",
    { connection: { url: "a" }, itemId: "1" },
    { connection: { url: "b" }, itemId: "2" },
    true,
  ],
])(
  "deletes a resource before its replacement only if the two cannot coexist: %s",
  (_case, state, wanted, first) => {
    const { action, deletesFirst } = planOf(state, wanted);
    expect([action, deletesFirst]).toEqual(["replace", first]);
  },
);

test.each([
  ["another id", ["replace", "itemId"], false],
  ["another deployment", ["replace", "deployment.id"], false],
  ["another address", ["replace", "connection.url"], true],
  ["another field", ["replace", "limit"], true],
  ["an id whose change is only recorded in state", ["state", "itemId"], true],
] as const)("determines whether a resource with %s is replaced in place", (_, [effect, path], expected) => {
  const changes = [
    { path, effect },
    { path: "limit", effect: "replace" as const },
  ];
  expect(replacesInPlace("itemId")(changes)).toBe(expected);
});

test.each(["assistant", "cron", "thread"] as const)(
  "changes only state if the metadata omits an entry that is already cleared (%s)",
  (kind) => {
    const question = { ...here, isSecret: () => false, replacesOn: () => false };
    const changes = (from: object, to: object) =>
      kinds[kind]().plan({
        ...question,
        state: { ...here, metadata: from } as never,
        wanted: { ...here, metadata: to } as never,
      }).changes;
    const omitted = changes({ a: 1, b: null }, { a: 1 });
    expect(omitted.map(({ path, effect }) => [path, effect])).toEqual([["metadata.b", "state"]]);
    const removed = changes({ a: 1, b: 2 }, { a: 1 });
    expect(removed.map(({ path, effect }) => [path, effect])).toEqual([["metadata.b", "patch"]]);
  },
);
