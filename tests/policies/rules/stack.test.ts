import { allowedControlPlanes } from "../../../policies/rules/allowed-control-planes";
import { deploymentCount } from "../../../policies/rules/deployment-count";
import { protectedDeployments } from "../../../policies/rules/protected";
import { compliant, said, saidOfStack, unknown } from "../judging";

test("requires production deployments to be protected", () => {
  expect(said(protectedDeployments, compliant)).toEqual([
    'Deployment "agent": it is not protected. Set `deletionProtection: true`, or pass `{ protect: true }` as its options.',
  ]);
  expect(said(protectedDeployments, compliant, { protect: true })).toEqual([]);
  expect(said(protectedDeployments, compliant, { stack: "dev" })).toEqual([
    expect.stringContaining("not applicable"),
  ]);
});

describe("allowed-control-planes", () => {
  const place = { region: "eu", host: "eu.api.host.langchain.com", tenantId: "tenant-1" };

  test("rejects regions and hosts that are not allowed", () => {
    const settings = { regions: ["eu"], hosts: ["*.acme.example.com"] };
    expect(said(allowedControlPlanes, compliant, { settings, connection: place })).toEqual([]);
    expect(
      said(allowedControlPlanes, compliant, { settings, connection: { host: "a.acme.example.com" } }),
    ).toEqual([]);
    expect(
      said(allowedControlPlanes, compliant, { settings, connection: { ...place, region: "us" } }),
    ).toEqual([
      'Deployment "agent": the control plane is not allowed. ' +
        "Set agentserver:region or agentserver:baseUrl to one of eu, *.acme.example.com.",
    ]);
    expect(said(allowedControlPlanes, compliant, { settings, connection: {} })).toHaveLength(1);
  });

  test("rejects a workspace that is not allowed, and a missing workspace", () => {
    const settings = { tenants: ["tenant-1"] };
    expect(said(allowedControlPlanes, compliant, { settings, connection: place })).toEqual([]);
    expect(said(allowedControlPlanes, compliant, { settings, connection: { tenantId: "tenant-2" } })).toEqual(
      ['Deployment "agent": the workspace is not allowed. Set agentserver:tenantId to one of tenant-1.'],
    );
    expect(said(allowedControlPlanes, compliant, { settings, connection: {} })).toEqual([
      expect.stringContaining("no workspace is configured"),
    ]);
  });

  test("checks the settings of an explicit provider instead of the stack's configuration", () => {
    const settings = { regions: ["eu"], tenants: ["tenant-1"] };
    const type = "agentserver:index:Deployment";
    const violations = (provider: object) =>
      said(allowedControlPlanes, compliant, { settings, connection: place, type, provider });
    expect(violations({ region: "eu", tenantId: "tenant-1" })).toEqual([]);
    expect(violations({ region: "us", tenantId: "tenant-1" })).toEqual([
      expect.stringContaining("the control plane is not allowed"),
    ]);
    expect(violations({ region: "eu", tenantId: "tenant-2" })).toEqual([
      expect.stringContaining("the workspace is not allowed"),
    ]);
    expect(violations({ region: unknown })).toEqual([
      'advisory: Deployment "agent": cannot be evaluated yet: the region of its provider will only be known during the update.',
    ]);
  });

  test("accepts all control planes if no lists are configured", () => {
    expect(said(allowedControlPlanes, compliant, { connection: {} })).toEqual([]);
  });
});

test("limits the number of deployments in a stack, regardless of other resources", () => {
  const settings = { max: 2 };
  expect(saidOfStack(deploymentCount, 2, { settings })).toEqual([]);
  expect(saidOfStack(deploymentCount, 3, { settings })).toEqual([
    'Stack "prod": it contains 3 deployments. Remove some deployments or split the stack. A stack can contain at most 2 deployments.',
  ]);
  expect(saidOfStack(deploymentCount, 3, { settings: { ...settings, stacks: ["dev"] } })).toEqual([
    expect.stringContaining("not applicable"),
  ]);
  expect(saidOfStack(deploymentCount, 0, { settings })).toEqual([expect.stringContaining("no deployments")]);
});
