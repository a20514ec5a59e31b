import {
  changedTag,
  emptyTag,
  findOwn,
  holderIn,
  ownerIn,
  ownerOf,
  ownerTag,
  recordedOwner,
  withoutTag,
} from "../../../../provider/resource/ownership/owner-tag";

const urn = "urn:pulumi:dev::shop::agentserver:index:Assistant::inbox";
const tagOf = (agentserver_owner: unknown, agentserver_resource?: unknown) => ({
  agentserver_owner,
  agentserver_resource,
});

test.each([
  ["acme", "acme/shop/dev:inbox"],
  ["", "shop/dev:inbox"],
  [undefined, "shop/dev:inbox"],
])("writes the resource with its organization to the tag: %j", (organization, resource) => {
  const identity = { urn, ...(organization !== undefined && { organization }) };
  expect(ownerTag({ ownerId: "me", identity })).toEqual(tagOf("me", resource));
});

test.each([
  ["this resource's tag", tagOf("me", "shop/dev:inbox"), { owner: "this" }],
  ["the tag from before a rename", tagOf("earlier"), { owner: "this" }],
  [
    "a tag of another resource",
    tagOf("you", "shop/prod:inbox"),
    { owner: "another", holder: "the resource shop/prod:inbox" },
  ],
  ["a tag without a resource", tagOf("you"), { owner: "another", holder: "another Pulumi resource" }],
  ["a tag with an empty resource", tagOf("you", ""), { owner: "another", holder: "another Pulumi resource" }],
  [
    "a tag with a number as the resource",
    tagOf("you", 1),
    { owner: "another", holder: "another Pulumi resource" },
  ],
  ["an emptied tag", emptyTag, { owner: "none" }],
  ["an empty owner", tagOf(""), { owner: "none" }],
  ["a number as the owner", tagOf(1), { owner: "none" }],
  ["other metadata", { a: 1 }, { owner: "none" }],
  ["no metadata", null, { owner: "none" }],
  ["unreported metadata", undefined, { owner: "none" }],
])("recognizes the owner: %s", (_, metadata, expected) => {
  expect(ownerIn(metadata, { ownerId: "me", otherOwnerId: "earlier" })).toEqual(expected);
});

test("returns neither an owner nor a resource without metadata", () => {
  expect([ownerOf(undefined), holderIn(undefined)]).toEqual([undefined, "another Pulumi resource"]);
});

test("finds its own objects under both owner IDs, even if the server ignores the filter", async () => {
  const objects = ["me", "earlier", "you", ""].map((owner) => ({ metadata: tagOf(owner) }));
  const asked: object[] = [];
  const search = (filter: object) => {
    asked.push(filter);
    return Promise.resolve(objects);
  };
  expect(await findOwn({ ownerId: "me", otherOwnerId: "earlier" }, search)).toEqual(objects.slice(0, 2));
  expect(asked).toEqual([{ agentserver_owner: "me" }, { agentserver_owner: "earlier" }]);
  expect(await findOwn({ ownerId: "you" }, search)).toEqual([objects[2]]);
  expect(asked).toHaveLength(3);
});

test.each([
  [
    { ...tagOf("me", "shop/dev:inbox"), a: 1, b: null, c: "" },
    { a: 1, c: "" },
  ],
  [null, {}],
  [undefined, {}],
])("returns metadata without the tag and without removed keys", (metadata, expected) => {
  expect(withoutTag(metadata)).toEqual(expected);
});

const resource = { ownerId: "me", identity: { urn } };
const renamedFrom = (id: unknown, stack = "shop/dev") => ({
  ...tagOf("new", `${stack}:inbox-2`),
  agentserver_renamed_from: id,
});

test.each([
  ["during a rename", "earlier", {}, { agentserver_renamed_from: "earlier" }],
  ["after a rename", undefined, renamedFrom("earlier"), { agentserver_renamed_from: null }],
  ["without a rename", undefined, tagOf("me"), {}],
  ["with unreported metadata", undefined, undefined, {}],
])("returns the fields for the previous owner ID %s", (_, otherOwnerId, metadata, expected) => {
  expect(changedTag({ ...resource, otherOwnerId }, metadata)).toEqual({
    ...tagOf("me", "shop/dev:inbox"),
    ...expected,
  });
});

test.each([
  ["an interrupted rename that was reverted", renamedFrom("me"), true, "this", "new"],
  ["an interrupted rename if the object is not in state", renamedFrom("me"), false, "another", "me"],
  ["a rename in another stack", renamedFrom("me", "shop/prod"), true, "another", "me"],
  ["a rename of another resource", renamedFrom("you"), true, "another", "me"],
  ["a tag without a rename", tagOf("new", "shop/dev:inbox-2"), true, "another", "me"],
  ["the tag of this resource", tagOf("me", "shop/dev:inbox"), true, "this", "me"],
  ["no tag", {}, true, "none", "me"],
  ["unreported metadata", undefined, true, "none", "me"],
])("identifies the owner of an object with %s", (_, metadata, isInState, owner, recorded) => {
  expect(ownerIn(metadata, resource, isInState).owner).toBe(owner);
  expect(recordedOwner(metadata, resource, isInState)).toBe(recorded);
});

test("does not use the state unless the caller confirms that it contains the object", () => {
  expect(ownerIn(renamedFrom("me"), resource).owner).toBe("another");
});
