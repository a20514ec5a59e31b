import { deploymentNames } from "../../../policies/rules/deployment-names";
import { replacingInputsKnown } from "../../../policies/rules/replacing-inputs-known";
import { resourceBounds } from "../../../policies/rules/resource-bounds";
import { scaleToZero } from "../../../policies/rules/scale-to-zero";
import { compliant, remedied, said, unknown } from "../judging";

const withSpec = (resourceSpec: object | string, deploymentType = "prod") => ({
  ...compliant,
  sourceConfig: { deploymentType, resourceSpec },
});

describe("resource-bounds", () => {
  test("rejects out-of-range values in fields of either spelling", () => {
    const settings = { bounds: { cpu: { max: 2 }, memoryMb: { min: 512 }, maxScale: { max: 5 } } };
    expect(said(resourceBounds, withSpec({ cpu: 4, memory_mb: 256, maxScale: 5 }), { settings })).toEqual([
      'Deployment "agent": sourceConfig.resourceSpec.cpu is above 2. Set it to 2 or less.',
      'Deployment "agent": sourceConfig.resourceSpec.memory_mb is below 512. Set it to 512 or more.',
    ]);
  });

  test("applies the documented bounds by default", () => {
    expect(said(resourceBounds, compliant)).toEqual([]);
    expect(said(resourceBounds, withSpec({ cpu: 8.5 }))).toEqual([expect.stringContaining("cpu is above 8")]);
  });

  test("requires limits to be at least the requests, and the maximum scale at least the minimum", () => {
    const spec = {
      minScale: 3,
      maxScale: 2,
      queueMemoryMb: 1024,
      queueMemoryLimitMb: 512,
      cpu: 1,
      cpuLimit: 1,
    };
    expect(said(resourceBounds, withSpec(spec))).toEqual([
      'Deployment "agent": sourceConfig.resourceSpec.maxScale is below minScale. ' +
        "Set it to 3 or more, or lower minScale.",
      expect.stringContaining("queueMemoryLimitMb is below queueMemoryMb"),
    ]);
  });

  test("requires the configured fields", () => {
    const settings = { required: ["memoryLimitMb", "cpu"] };
    expect(said(resourceBounds, compliant, { settings })).toEqual([
      expect.stringContaining("resourceSpec.memoryLimitMb is missing"),
    ]);
  });

  test("does not check unknown values", () => {
    expect(said(resourceBounds, withSpec(unknown))).toEqual([
      expect.stringContaining("cannot be evaluated yet: sourceConfig.resourceSpec "),
    ]);
    expect(
      said(resourceBounds, withSpec({ cpu: 64, memoryMb: unknown }), {
        settings: { bounds: { cpu: { max: 8 } } },
      }),
    ).toEqual([
      expect.stringContaining("cpu is above 8"),
      expect.stringContaining("cannot be evaluated yet: sourceConfig.resourceSpec.memoryMb "),
    ]);
    expect(
      said(resourceBounds, withSpec({ cpu: unknown, maxScale: 90 }), {
        settings: { bounds: { cpu: { max: 8 }, maxScale: { max: 3 } }, required: ["memoryMb"] },
      }),
    ).toEqual([
      expect.stringContaining("maxScale is above 3"),
      expect.stringContaining("memoryMb is missing"),
      expect.stringContaining("cannot be evaluated yet: sourceConfig.resourceSpec.cpu "),
    ]);
  });
});

describe("scale-to-zero", () => {
  test("accepts scaling to zero only for deployment types that support it", () => {
    expect(said(scaleToZero, withSpec({ minScale: 0 }))).toEqual([
      'Deployment "agent": sourceConfig.resourceSpec.minScale is 0, which this deployment type does not support. ' +
        "Set it to 1 or more.",
    ]);
    expect(said(scaleToZero, withSpec({ minScale: 0, queue_min_scale: 0 }, "dev_zero"))).toEqual([]);
    expect(said(scaleToZero, withSpec({ minScale: 1 }))).toEqual([]);
    expect(said(scaleToZero, withSpec({ minScale: 0 }), { settings: { types: ["prod"] } })).toEqual([]);
  });

  test("remediates by setting one replica, and keeps the spelling of the field", () => {
    expect(remedied(scaleToZero, withSpec({ minScale: 0, queue_min_scale: 0, cpu: 1 }))).toEqual(
      withSpec({ minScale: 1, queue_min_scale: 1, cpu: 1 }),
    );
    expect(remedied(scaleToZero, compliant)).toBeUndefined();
    expect(remedied(scaleToZero, withSpec({ minScale: 0 }, "dev_zero"))).toBeUndefined();
  });

  test("does not check a deployment whose type is unknown", () => {
    expect(said(scaleToZero, withSpec({ minScale: 0 }, unknown))).toEqual([
      expect.stringContaining("cannot be evaluated yet: sourceConfig.deploymentType"),
    ]);
    expect(remedied(scaleToZero, withSpec({ minScale: 0 }, unknown))).toBeUndefined();
    expect(said(scaleToZero, withSpec({ minScale: unknown, queueMinScale: 0 }))).toHaveLength(2);
  });
});

describe("deployment-names", () => {
  const named = (name: string, change: object = {}) => ({ ...compliant, name, ...change });
  const long = "a".repeat(22);

  test.each(["my_deployment", "1st", "agent-", "-agent", "an agent"])("rejects %s", (name) => {
    const messages = said(deploymentNames, named(name));
    expect(messages).toEqual([expect.stringMatching(/^Deployment "agent": name does not match /)]);
    expect(messages[0]).not.toContain(name);
  });

  test("accepts other names up to the maximum length", () => {
    expect(said(deploymentNames, named("Agent-2"))).toEqual([]);
    expect(said(deploymentNames, named(long))).toEqual([]);
    expect(said(deploymentNames, named("a".repeat(64)))).toEqual([
      'Deployment "agent": name has 64 characters. Use at most 63.',
    ]);
  });

  test("requires shorter names on self-hosted control planes", () => {
    const refused = [expect.stringContaining("name has 22 characters. Use at most 21.")];
    expect(said(deploymentNames, named(long, { source: "external_docker" }))).toEqual(refused);
    expect(said(deploymentNames, named(long, { sourceConfig: { listenerId: "a" } }))).toEqual(refused);
    expect(said(deploymentNames, named(long), { settings: { selfHosted: true } })).toEqual(refused);
  });

  test("matches the configured pattern against the whole name", () => {
    const settings = { pattern: "team-[a-z]+|core" };
    expect(said(deploymentNames, named("team-agents"), { settings })).toEqual([]);
    expect(said(deploymentNames, named("core-agents"), { settings })).toHaveLength(1);
  });
});

describe("replacing-inputs-known", () => {
  test("rejects unknown values only in fields that replace the deployment when changed", () => {
    const inputs = {
      ...compliant,
      name: unknown,
      sourceConfig: { integrationId: unknown, buildOnPush: unknown },
      sourceRevisionConfig: { repoRef: unknown },
    };
    expect(said(replacingInputsKnown, inputs)).toEqual([
      expect.stringMatching(/name is known only during the update.*Set it to a fixed value/),
      expect.stringContaining("sourceConfig.integrationId is known only during the update"),
    ]);
    expect(said(replacingInputsKnown, compliant)).toEqual([]);
    expect(said(replacingInputsKnown, inputs, { stack: "dev" })).toEqual([
      expect.stringContaining("not applicable"),
    ]);
  });
});
