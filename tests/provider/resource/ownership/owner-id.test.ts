import { ownerIdOf } from "../../../../provider/resource/ownership/owner-id";

const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentserver:Deployment::agent";

test("the owner id of a resource never changes between releases", () => {
  expect(ownerIdOf({ urn, organization: "acme" })).toBe("052b5315-ce89-4b17-1b78-1d5b3f236939");
  expect(ownerIdOf({ urn })).toBe("4b678f04-d8f2-3f5d-8c53-aeb8414a6618");
});

test("other resources, organizations and backends have other owner ids", () => {
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
