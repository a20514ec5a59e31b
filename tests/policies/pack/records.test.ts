import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { policies } from "../../../policies/rules";
import { compliantOf, remedied, said, saidOf, saidOfStack, unknown } from "../judging";
import { policyTable, settingsTable } from "../policy-table";

const production = { protect: true };

test("gives each policy a unique name", () => {
  expect(new Set(policies.map(({ name }) => name)).size).toBe(policies.length);
});

const ofResources = policies.flatMap((policy) =>
  policy.kind === "resource" ? policy.about.map((kind) => ({ name: policy.name, policy, kind })) : [],
);

test.each(ofResources)("$name: accepts a $kind that complies", ({ policy, kind }) => {
  expect(saidOf(kind, policy, compliantOf(kind), production)).toEqual([]);
  if (policy.remedy) expect(remedied(policy, compliantOf(kind), production)).toBeUndefined();
});

test.each(ofResources.filter(({ name }) => name !== "replacing-inputs-known"))(
  "$name: does not fail a preview if values of a $kind are unknown",
  ({ policy, kind }) => {
    const inputs = Object.fromEntries(Object.keys(compliantOf(kind)).map((key) => [key, unknown]));
    const settings = { names: ["A"], allow: ["a"] };
    const known = Object.entries(settings).filter(([name]) => name in policy.settings);

    const messages = saidOf(kind, policy, inputs, { ...production, settings: Object.fromEntries(known) });

    expect(messages.filter((message) => !message.startsWith("advisory: "))).toEqual([]);
  },
);

test.each(policies)("$name: rejects unknown settings in all stacks", (policy) => {
  const settings = { stack: ["dev"] };
  const judge =
    policy.kind === "stack"
      ? saidOfStack(policy, 1, { settings })
      : saidOf(policy.about[0]!, policy, compliantOf(policy.about[0]!), { settings, stack: "dev" });

  expect(judge[0]).toContain('the policy has no setting "stack". Its settings are stacks');
  expect(judge[0]).toMatch(/^mandatory: .* Did you mean "stacks"\?$/);
});

test("does not apply to resources of other types", () => {
  expect(said(policies[0]!, {}, { type: "aws:s3/bucket:Bucket" })).toEqual([
    "not applicable: The resource is not one of: Deployment.",
  ]);
});

const readme = readFileSync(join(__dirname, "../../../policies/README.md"), "utf8");

test("matches the tables in the README", () => {
  expect(readme).toContain(policyTable(policies));
  expect(readme).toContain(settingsTable(policies));
});

test("accepts the configuration in the README", () => {
  const [, text] = /```json\n(.*?)```/s.exec(readme)!;
  const { all, ...configuration } = JSON.parse(text!) as Record<string, string | Record<string, unknown>>;

  expect(all).toBe("mandatory");
  for (const [name, given] of Object.entries(configuration)) {
    const { settings } = policies.find((policy) => policy.name === name)!;
    const { enforcementLevel, ...values } = typeof given === "string" ? { enforcementLevel: given } : given;
    const takes = new Ajv({ validateFormats: false }).compile({
      type: "object",
      properties: settings,
      additionalProperties: false,
    });
    expect({ name, errors: takes(values) ? [] : takes.errors }).toEqual({ name, errors: [] });
    expect(["advisory", "mandatory", "remediate", "disabled", undefined]).toContain(enforcementLevel);
  }
});

test("rejects empty patterns, which match nothing", () => {
  const { rules } = policies.find(({ name }) => name === "deployment-types")!.settings;
  const takes = new Ajv().compile({ type: "object", properties: { rules } });
  expect(takes({ rules: [{ stacks: ["dev"], allow: ["dev"] }] })).toBe(true);
  expect(takes({ rules: [{ stacks: [""], allow: ["dev"] }] })).toBe(false);
});

test.each(policies)("$name: has defaults that match the schema of its settings", ({ settings }) => {
  const defaults = Object.entries(settings as Record<string, { default: unknown }>).map(([name, setting]) => [
    name,
    setting.default,
  ]);
  const takes = new Ajv({ validateFormats: false }).compile({ type: "object", properties: settings });
  expect(takes(Object.fromEntries(defaults))).toBe(true);
});
