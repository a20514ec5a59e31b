import { isApproved, short, taken } from "../../../sdk/components/promotion";

const [one, two] = ["1".repeat(40), "2".repeat(40)];
const image = `registry.example.com/agents/support@sha256:${"a".repeat(64)}`;
const crossing = { environment: "production", before: "staging" };

test.each([
  ["without a gate, what is verified", { verified: { what: one } }, one],
  ["with an approval of it", { approved: "1111111", verified: { what: one } }, one],
  ["not before it is approved", { approved: null, verified: { what: one }, serves: { what: two } }, two],
  ["not for another approval", { approved: two, verified: { what: one }, serves: { what: two } }, two],
  ["nothing of an environment that has failed", { serves: { what: two } }, two],
  ["an image by its digest", { approved: `sha256:${"a".repeat(64)}`, verified: { what: image } }, image],
])("an environment gets what passes, and else what it has: %s", (_, given, expected) => {
  expect(taken({ ...crossing, ...given })).toEqual({ what: expected });
});

test("what stays keeps its graph configuration", () => {
  const serves = { what: two, graphConfigPath: "old.json" };
  const verified = { what: one, graphConfigPath: "new.json" };
  expect(taken({ ...crossing, approved: null, verified, serves })).toEqual(serves);
});

test.each(["main", "v1.2.0", "registry.example.com/agents/support:v1"])(
  "what may stand for something else tomorrow is not promoted: %s",
  (what) => {
    expect(() => taken({ ...crossing, verified: { what } })).toThrow(
      `Environment "staging" serves ${what}, which may stand for something else by now, so it cannot be promoted`,
    );
  },
);

test("an environment that is not there is not made of what is not verified or not approved", () => {
  expect(() => taken(crossing)).toThrow("staging serves nothing that is verified");
  expect(() => taken({ ...crossing, approved: "2222222", verified: { what: one } })).toThrow(
    'Environment "production" cannot be made: 2222222 is approved, and staging has verified 1111111.',
  );
});

test.each([
  ["111111", one, false],
  ["1111111", one, true],
  ["1111111", two, false],
  ["main-branch", "main-branch-2", false],
  ["sha256:aaaaaaaa", image, false],
  [null, one, false],
])("the approval %s of %s: %s", (approved, what, expected) => {
  expect(isApproved(approved, what)).toBe(expected);
});

test("commits and digests are shortened, and nothing else", () => {
  expect([one, image, "v1.2.0"].map(short)).toEqual([
    "1111111",
    "registry.example.com/agents/support@sha256:aaaaaaaaaaaa",
    "v1.2.0",
  ]);
});
