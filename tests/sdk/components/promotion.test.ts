import { abbreviate, isApproved } from "../../../provider/promotion/artifact";
import { nextSource } from "../../../sdk/components/promotion";

const [one, two] = ["1".repeat(40), "2".repeat(40)];
const image = `registry.example.com/agents/support@sha256:${"a".repeat(64)}`;
const promotion = { environment: "production", before: "staging" };

test.each([
  ["the verified source without a gate", { verified: { artifact: one } }, one],
  ["the verified source after its approval", { approved: "1111111", verified: { artifact: one } }, one],
  [
    "the current source before an approval",
    { approved: null, verified: { artifact: one }, serves: { artifact: two } },
    two,
  ],
  [
    "the current source after another approval",
    { approved: two, verified: { artifact: one }, serves: { artifact: two } },
    two,
  ],
  ["the current source if the previous environment failed", { serves: { artifact: two } }, two],
  [
    "an image approved by its digest",
    { approved: `sha256:${"a".repeat(64)}`, verified: { artifact: image } },
    image,
  ],
])("selects %s", (_, given, expected) => {
  expect(nextSource({ ...promotion, ...given })).toEqual({ artifact: expected });
});

test("keeps the graph configuration of the current source", () => {
  const serves = { artifact: two, graphConfigPath: "old.json" };
  const verified = { artifact: one, graphConfigPath: "new.json" };
  expect(nextSource({ ...promotion, approved: null, verified, serves })).toEqual(serves);
});

test.each(["main", "v1.2.0", "registry.example.com/agents/support:v1"])(
  "does not promote a reference that may move: %s",
  (artifact) => {
    expect(() => nextSource({ ...promotion, verified: { artifact } })).toThrow(
      `Environment "staging" is serving ${artifact}, which may have moved since, so it cannot be promoted`,
    );
  },
);

test("does not create an environment from an unverified or unapproved source", () => {
  expect(() => nextSource(promotion)).toThrow("staging is not serving a verified source");
  expect(() => nextSource({ ...promotion, approved: "2222222", verified: { artifact: one } })).toThrow(
    'Environment "production" cannot be created: 2222222 is approved, but staging has verified 1111111. Run `pulumi up` again when staging has verified 2222222.',
  );
});

test.each([
  ["111111", one, false],
  ["1111111", one, true],
  ["1111111", two, false],
  ["main-branch", "main-branch-2", false],
  ["sha256:aaaaaaaa", image, false],
  [null, one, false],
])("evaluates the approval %s of %s as %s", (approved, what, expected) => {
  expect(isApproved(approved, what)).toBe(expected);
});

test("abbreviates only commits and digests", () => {
  expect([one, image, "v1.2.0"].map(abbreviate)).toEqual([
    "1111111",
    "registry.example.com/agents/support@sha256:aaaaaaaaaaaa",
    "v1.2.0",
  ]);
});
