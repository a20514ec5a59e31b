import { fc } from "../../../properties";
import {
  describeHolder,
  isTagged,
  isTagComplete,
  ownerOf,
  createTag,
  tagOf,
  formatTag,
} from "../../../../provider/deployment/ownership/tag";

const recordWith = (value: string) => ({
  id: "d-1",
  latest_revision_id: "r-1",
  secrets: [{ name: "AGENTSERVER_OWNER", value }],
});
const at = Date.UTC(2026, 0, 2, 3, 4, 5);
const identity = (name: string) => ({
  urn: `urn:pulumi:prod::shop::pulumi-nodejs:dynamic/agentserver:Deployment::${name}`,
  organization: "acme",
});

test("records the resource, its stack and the time for any names", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.integer({ min: 1, max: 9 }), (name, revisions) => {
      fc.pre(
        !/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/.test(name),
      );
      const tagger = {
        resource: { ownerId: "owner-1", identity: identity(name) },
        time: { clock: { now: () => at } },
      };
      const tag = createTag(tagger, { revisions });
      expect(tagOf(recordWith(tag))).toEqual({
        ownerId: "owner-1",
        revisions,
        since: "2026-01-02T03:04:05.000Z",
        holder: { organization: "acme", project: "shop", stack: "prod", resource: name },
      });
      expect(formatTag(tagOf(recordWith(tag))!)).toBe(tag);
    }),
  );
});

test.each([
  ["id/1/Jan 1 2026 00:00 UTC (\u001b[31mred)/acme/shop/prod/agent/.", "2026-01-01T00:00:00.000Z"],
  ["id/1/Jan 1 2026 00:00 UTC (hi)/acme/shop/prod/agent/.", "2026-01-01T00:00:00.000Z"],
])("shows a time that others wrote only as a time: %j", (value, since) => {
  expect(tagOf(recordWith(value))).toMatchObject({ ownerId: "id", since });
});

test("keeps control characters in names away from the terminal", () => {
  const tag = tagOf(recordWith("id/1/2026-01-01T00:00:00Z/acme/shop/prod/%1b%5b31mred/."))!;
  expect(describeHolder(tag)).toBe('resource "red" of stack acme/shop/prod, since 2026-01-01 00:00:00 UTC');
});

const otherOwner = "3b241101-e2bb-4255-8caf-4136c566a962";

test.each([otherOwner, `${otherOwner}/2`, `${otherOwner}/a/later/form`])(
  "shows the owner of a tag in another form: %s",
  (value) => {
    expect(ownerOf(recordWith(value))).toBe(otherOwner);
  },
);

test.each(["", "****", "[hidden]", "masked", "id/1/never/acme/shop/prod/agent/.", "anything"])(
  "treats a text that no resource writes as a masked value: %j",
  (value) => {
    expect([isTagged(recordWith(value)), ownerOf(recordWith(value))]).toEqual([true, undefined]);
  },
);

test("is complete only at full length, wherever a server shortens it", () => {
  const tagger = {
    resource: { ownerId: "owner-1", identity: identity("agent") },
    time: { clock: { now: () => at } },
  };
  const uploaded = { contentHash: "a".repeat(64), objectPath: "uploads/1" };
  for (const more of [{}, { uploaded, triggers: "b".repeat(16), plain: { A: "1", B: "2" } }]) {
    const tag = createTag(tagger, more);
    expect(isTagComplete(recordWith(tag))).toBe(true);
    for (let length = 0; length < tag.length; length += 1)
      for (const mask of ["", "…", "***"])
        expect([length, mask, isTagComplete(recordWith(tag.slice(0, length) + mask))]).toEqual([
          length,
          mask,
          false,
        ]);
  }
});

test("lists the plain variables that were sent", () => {
  const tagger = {
    resource: { ownerId: "owner-1", identity: identity("agent") },
    time: { clock: { now: () => at } },
  };
  const uploaded = { contentHash: "a".repeat(64), objectPath: "uploads/1" };
  for (const upload of [undefined, uploaded]) {
    const tag = createTag(tagger, { plain: { B: "2", A: "1" }, uploaded: upload });
    expect(tagOf(recordWith(tag))).toMatchObject({ variables: ["A", "B"] });
    expect(tag).toMatch(/\/=A,B\/\.$/);
  }
  const names = Array.from({ length: 9_000 }, (_, index) => [`NAME_${index}`, ""]);
  const tag = createTag(tagger, { plain: Object.fromEntries(names) as Record<string, string> });
  expect(tag.length).toBeLessThan(1_000);
  expect(tagOf(recordWith(tag))).not.toHaveProperty("variables");
});
