import { kinds } from "../../../../provider/kinds";
import { ownerIdOf } from "../../../../provider/resource/ownership/owner-id";

const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentserver:Deployment::agent";

test("keeps the owner ID of a resource between releases", () => {
  expect(ownerIdOf({ urn, organization: "acme" })).toBe("d73beecc-1b76-a696-05cc-b6272c4c2904");
  expect(ownerIdOf({ urn })).toBe("d73beecc-1b76-a696-c3a3-10bc2a4f31ef");
});

test("keeps the second half of the owner ID after a rename", () => {
  const known = ownerIdOf({ urn, organization: "acme" });
  const other = `${urn}2`;
  expect(ownerIdOf({ urn }, known)).toBe(known);
  expect(ownerIdOf({ urn: other }, known)).toBe(ownerIdOf({ urn: other, organization: "acme" }));
});

test("returns different owner IDs for different resources, organizations, and backends", () => {
  const ids = [
    ownerIdOf({ urn, organization: "acme" }),
    ownerIdOf({ urn, organization: "other" }),
    ownerIdOf({ urn: `${urn}2`, organization: "acme" }),
    ownerIdOf({ urn }),
    ownerIdOf({ urn, backend: "one" }),
    ownerIdOf({ urn, backend: "two" }),
  ];
  expect(new Set(ids).size).toBe(ids.length);
});

test("returns the same owner ID with both hosts for each kind, including component children", () => {
  const types = Object.values(kinds).map((create) => create({}).type);
  for (const type of types) {
    const path = (prefix: string) =>
      `urn:pulumi:dev::shop::agentserver:index:Workspace$${prefix}${type}$${prefix}${type}::a`;
    expect(ownerIdOf({ urn: path("agentserver:index:") })).toBe(
      ownerIdOf({ urn: path("pulumi-nodejs:dynamic/agentserver:") }),
    );
  }
});
