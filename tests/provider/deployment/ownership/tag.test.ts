import { stackOf, formatTag } from "../../../../wire";
import { fc } from "../../../properties";
import {
  contentOf,
  describeHolder,
  isTagged,
  isTagComplete,
  ownerOf,
  createTag,
  tagOf,
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

test("records the resource, its stack, and the time, for arbitrary names", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.integer({ min: 1, max: 999_999 }), (name, revisions) => {
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
])("ignores text after the time in a tag that others wrote: %j", (value, since) => {
  expect(tagOf(recordWith(value))).toMatchObject({ ownerId: "id", since });
});

test("removes control characters from names, so that they do not reach the terminal", () => {
  const tag = tagOf(recordWith("id/1/2026-01-01T00:00:00Z/acme/shop/prod/%1b%5b31mred/."))!;
  expect(describeHolder(tag)).toBe('resource "red" of stack acme/shop/prod, since 2026-01-01 00:00:00 UTC');
});

const otherOwner = "3b241101-e2bb-4255-8caf-4136c566a962";

test.each([otherOwner, `${otherOwner}/2`, `${otherOwner}/a/later/form`])(
  "shows the owner of a tag in another format: %s",
  (value) => {
    expect(tagOf(recordWith(value))).toEqual({ ownerId: otherOwner, revisions: 1 });
  },
);

test.each([
  "",
  "****",
  "[hidden]",
  "masked",
  "id/1/never/acme/shop/prod/agent/.",
  "anything",
  `secret://${otherOwner}`,
])("treats a string that no resource writes as a masked value: %j", (value) => {
  expect([isTagged(recordWith(value)), ownerOf(recordWith(value))]).toEqual([true, undefined]);
});

test("treats a tag as complete only at full length, regardless of where a server truncates it", () => {
  const tagger = {
    resource: { ownerId: "owner-1", identity: identity("agent") },
    time: { clock: { now: () => at } },
  };
  const uploaded = { contentHash: "a".repeat(64), objectPath: "uploads/1" };
  for (const more of [{}, { uploaded, triggers: "b".repeat(16), plain: { A: "1", B: "2" } }]) {
    const tag = createTag(tagger, more);
    expect(isTagComplete(recordWith(tag))).toBe(true);
    for (const changed of [`***/${tag}`, `${tag}…`]) expect(isTagComplete(recordWith(changed))).toBe(false);
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
  expect(tagOf(recordWith(createTag(tagger, { plain: { A: "1" } })))).toMatchObject({ variables: ["A"] });
  const names = Array.from({ length: 9_000 }, (_, index) => [`NAME_${index}`, ""]);
  const tag = createTag(tagger, { plain: Object.fromEntries(names) as Record<string, string> });
  expect(tag.length).toBeLessThan(1_000);
  expect(tagOf(recordWith(tag))).not.toHaveProperty("variables");
});

const tagger = {
  resource: { ownerId: "owner-1", identity: identity("agent") },
  time: { clock: { now: () => at } },
};
const hash = "a".repeat(64);

test("keeps the time and the upload of a previous tag of the same resource", () => {
  const uploaded = { contentHash: hash, objectPath: "uploads/1" };
  const earlier = recordWith(
    createTag(
      { ...tagger, time: { clock: { now: () => at - 1000 } } },
      { uploaded, triggers: "b".repeat(16) },
    ),
  );
  const tag = tagOf(recordWith(createTag(tagger, { record: earlier })))!;
  expect(tag).toMatchObject({ since: "2026-01-02T03:04:04.000Z", content: { contentHash: hash } });
  // The triggers are those of the newest change.
  expect([tag.triggers, tag.variables]).toEqual([undefined, undefined]);
  const other = { ...tagger, resource: { ...tagger.resource, ownerId: "owner-2" } };
  expect(tagOf(recordWith(createTag(other, { record: earlier })))!.since).toBe("2026-01-02T03:04:05.000Z");
  expect(tagOf(recordWith(createTag(tagger, { triggers: "b".repeat(16) })))!.triggers).toBe("b".repeat(16));
});

test("writes only the owner if a tag in another format has no time or resource", () => {
  const holder = { organization: "", project: "shop", stack: "prod", resource: "agent" };
  expect(formatTag({ ownerId: otherOwner, revisions: 1, holder })).toBe(otherOwner);
  expect(formatTag({ ownerId: otherOwner, revisions: 1, since: "2026-01-01T00:00:00.000Z" })).toBe(
    otherOwner,
  );
});

test.each([
  ["of the newest upload", "uploads/1", hash],
  ["of another client's upload as empty", "uploads/2", ""],
  ["of an unreported path", undefined, hash],
])("returns the content hash %s", (_, path, expected) => {
  const tag = createTag(tagger, { uploaded: { contentHash: hash, objectPath: "uploads/1" } });
  const record = { ...recordWith(tag), source_revision_config: { source_tarball_path: path } };
  expect(contentOf(record, "known")).toBe(expected);
});

test("treats an upload as foreign if the tag contains none", () => {
  const record = {
    ...recordWith(createTag(tagger)),
    source_revision_config: { source_tarball_path: "theirs" },
  };
  expect(contentOf(record, "known")).toBe("");
});

test("shows a name unchanged if it is not encoded", () => {
  const tag = tagOf(recordWith("id/1/2026-01-01T00:00:00Z/acme/shop/prod/50%/."));
  expect(tag?.holder?.resource).toBe("50%");
});

test("reads the content hash from the state if the tag does not contain it", () => {
  expect(contentOf(recordWith(createTag(tagger)), "known")).toBe("known");
  expect(contentOf(recordWith("***"), "known")).toBe("known");
  // A client that replaced the environment may also have replaced the source.
  const replaced = { id: "d-1", latest_revision_id: "r-1", secrets: [{ name: "OTHER", value: "1" }] };
  expect(contentOf(replaced, "known")).toBe("");
});

test.each([
  [undefined, "r-1", undefined],
  [[], null, undefined],
  [[], "r-1", false],
  [[{ name: "OTHER", value: "1" }], null, false],
])(
  "determines whether the tag is missing (secrets %j, revision %s)",
  (secrets, latest_revision_id, expected) => {
    expect(isTagged({ id: "d-1", latest_revision_id, ...(secrets && { secrets }) })).toBe(expected);
  },
);

test("describes an owner without details, and a stack without an organization", () => {
  expect(describeHolder({ ownerId: "id", revisions: 1 })).toBe("another Pulumi resource");
  const holder = { organization: "", project: "shop", stack: "prod", resource: "agent" };
  expect(describeHolder({ ownerId: "id", revisions: 1, holder })).toBe('resource "agent" of stack shop/prod');
  expect(stackOf(holder)).toBe("shop/prod");
});
