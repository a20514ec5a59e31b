import { unknownValue } from "@pulumi/pulumi/runtime/rpc";
import { withUnknowns } from "../../provider/engine/sentinels";
import { connectionOf } from "../../policies/pack/connection";
import { isSentinel } from "../../policies/resource/unknown";
import { replacingInputsKnown } from "../../policies/rules/replacing-inputs-known";
import { reservedSecretNames } from "../../policies/rules/reserved-secret-names";
import { regionHosts } from "../../provider/control-plane/base-url";
import { interfaceDialect, langsmithDialect } from "../../provider/control-plane/dialects";
import { sourceConfigInputs } from "../../provider/deployment/inputs/inputs";
import { notKnownYet } from "../../provider/resource/inputs/unknown";
import { compliant, said, unknown } from "./judging";

// The policies are a separate package that cannot import the provider, so the facts in both packages must match.

const fixed = [interfaceDialect, langsmithDialect].flatMap(({ immutableSourceFields }) => [
  ...immutableSourceFields,
]);

test.each(Object.keys(sourceConfigInputs.shape))(
  "checks sourceConfig.%s in replacing-inputs-known only if changes replace the deployment",
  (field) => {
    const inputs = { ...compliant, sourceConfig: { ...compliant.sourceConfig, [field]: unknown } };
    expect(said(replacingInputsKnown, inputs)).toHaveLength(fixed.includes(field) ? 1 : 0);
  },
);

test.each(Object.entries(regionHosts))("recognizes the region %s by its address", (region, baseUrl) => {
  const named = connectionOf((key) => (key === "region" ? region : undefined), {});
  expect(named.host).toBe(new URL(baseUrl).host);
  expect(connectionOf(() => undefined, { AGENTSERVER_BASE_URL: baseUrl })).toEqual(named);
});

test("reserves the names that the provider rejects", () => {
  const [, names] = /\((.*)\)/.exec(langsmithDialect.table.reservedSecrets!.source)!;
  for (const name of names!.split("|").map((one) => one.replace(".*", "ANY")))
    expect(said(reservedSecretNames, { ...compliant, secrets: { [name]: "some value" } })).toHaveLength(1);
});

test("uses the same marker for unknown values as the provider", () => {
  expect(withUnknowns(unknownValue)).toBe(notKnownYet);
  expect(isSentinel(unknownValue)).toBe(true);
});
