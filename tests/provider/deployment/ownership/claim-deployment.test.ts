import { findExisting, knownDeployment } from "../../../../provider/deployment/ownership/claim-deployment";
import { type Adopt, decide, type Owner } from "../../../../provider/resource/ownership/claim";
import type { DeploymentRecord } from "../../../../wire";

const tag = (owner: string, revisions = 1) => ({
  name: "AGENTSERVER_OWNER",
  value: `${owner}/${revisions}/2026-01-01T00:00:00.000Z/acme/shop/dev/agent/.`,
});
const other = { name: "KEY", value: "value" };
const record = (secrets: DeploymentRecord["secrets"], revision: string | null = "r"): DeploymentRecord => ({
  id: "4711",
  name: "support",
  latest_revision_id: revision,
  ...(secrets !== undefined && { secrets }),
});

/**
 * Cases: the deployment, its number of revisions, the owner during a create, and the owner if the deployment is in the
 * state.
 */
const table: [string, DeploymentRecord, number, Owner, Owner][] = [
  ["this resource's tag and one revision", record([tag("me"), other]), 1, "this", "this"],
  ["this resource's tag and no revision", record([tag("me")], null), 0, "this", "this"],
  ["a tag that counts the revisions of interrupted creates", record([tag("me", 3)]), 3, "this", "this"],
  ["more revisions than interrupted creates made", record([tag("me", 3)]), 4, "this, changed", "this"],
  ["another resource's tag", record([other, tag("you")]), 1, "another", "another"],
  ["secrets without a tag", record([other]), 1, "none", "unreported"],
  ["no secrets after a revision", record([]), 1, "none", "unreported"],
  ["no secrets before a revision", record([], null), 0, "unreported", "unreported"],
  ["no reported secrets", record(undefined), 1, "unreported", "unreported"],
  [
    "a masked tag",
    record([
      { name: "AGENTSERVER_OWNER", value: "********" },
      { name: "KEY", value: "********" },
    ]),
    1,
    "unreported",
    "unreported",
  ],
];

test.each(table)("finds the owner of a deployment with %s", async (_what, found, revisions, owner, known) => {
  const one = await findExisting([found], { name: "support" }, "me", () => Promise.resolve(revisions));
  expect(one!.existing).toMatchObject({ title: 'Deployment "support" (4711)', owner, deploymentId: "4711" });
  const resource = { ownerId: "me", identity: { urn: "urn:pulumi:dev::shop::t::agent" } };
  expect(knownDeployment(resource, found).owner).toBe(known);
});

test.each<[Owner, string[]]>([
  ["this", ["refuse", "resume", "resume"]],
  ["this, changed", ["refuse", "refuse", "adopt"]],
  ["another", ["refuse", "refuse", "adopt"]],
  ["none", ["refuse", "refuse", "adopt"]],
  ["unreported", ["refuse", "refuse", "adopt"]],
])("handles a create according to `adopt` (owner: %j)", (owner, expected) => {
  const modes: Adopt[] = ["never", "ifOwned", "always"];
  expect(modes.map((adopt) => decide("create", owner, adopt))).toEqual(expected);
});

test("prefers this resource's deployment among several with the same name", async () => {
  const mine = { ...record([tag("me")]), id: "mine" };
  const found = [record([tag("you")]), record([other]), mine];
  const one = await findExisting(found, { name: "support" }, "me", () => Promise.resolve(1));
  expect(one!.record).toBe(mine);
});

test("counts revisions only for this resource's deployment", async () => {
  const never = () => Promise.reject(new Error("not expected"));
  expect((await findExisting([record([tag("you")])], {}, "me", never))!.existing.holder).toBe(
    'resource "agent" of stack acme/shop/dev, since 2026-01-01 00:00:00 UTC',
  );
  expect(await findExisting([], {}, "me", never)).toBeUndefined();
});

test.each<[string, DeploymentRecord, number, RegExp | undefined]>([
  ["of another resource", record([tag("you")]), 1, /release the name, set `deleteBeforeReplace`/],
  ["that was changed", record([tag("me")]), 2, /^Either it was retained \(`retainOnDelete`\)/],
  ["without a revision", record(undefined, null), 0, /reports no owner before the first revision/],
  ["of an unreported owner", record(undefined), 1, undefined],
  ["without a tag", record([other]), 1, undefined],
  ["without a tag or a revision", record([other], null), 0, undefined],
  ["of this resource", record([tag("me")]), 1, undefined],
])("determines the hint about a deployment %s", async (_, found, revisions, hint) => {
  const { existing } = (await findExisting([found], { name: "support" }, "me", () =>
    Promise.resolve(revisions),
  ))!;
  if (hint === undefined) expect(existing.hint).toBeUndefined();
  else expect(existing.hint).toMatch(hint);
});
