import { ownerIdOf } from "../../../provider/deployment/owner";

const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentserver:Deployment::agent";

test("the mark of a resource never changes between releases", () => {
  expect(ownerIdOf(urn, "acme")).toBe("052b5315-ce89-4b17-1b78-1d5b3f236939");
  expect(ownerIdOf(urn, undefined)).toBe("4b678f04-d8f2-3f5d-8c53-aeb8414a6618");
});

test("other resources and other organizations have other marks", () => {
  const marks = [
    ownerIdOf(urn, "acme"),
    ownerIdOf(urn, "other"),
    ownerIdOf(`${urn}2`, "acme"),
    ownerIdOf(urn, undefined),
  ];
  expect(new Set(marks).size).toBe(4);
});
