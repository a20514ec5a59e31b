import type { Dialect } from "../../provider/control-plane/dialects";
import type { DeploymentRecord } from "../../wire";
import type { DeploymentInputs } from "../../provider/deployment/inputs/inputs";
import { checkInputs, type CheckFailure } from "../../provider/deployment/rules/check";
import { importedInputs, removeInput } from "../../provider/deployment/imported-inputs";
import { reportedVariables } from "../../provider/deployment/environment";
import { isSetting } from "../../provider/deployment/inputs/settings";

/**
 * Inputs that describe a deployment, and the fields that were omitted because inputs cannot represent them; or the
 * reason that inputs cannot describe the deployment.
 */
export type ExportedInputs = { inputs: DeploymentInputs; omitted: string[] } | { reason: string };

/** Returns inputs that adopt the deployment without changing it. */
export function inputsFor(record: DeploymentRecord, dialect: Dialect): ExportedInputs {
  let inputs = describe(record, dialect);
  const omitted: string[] = [];
  for (;;) {
    const [failure] = checkInputs({ ...inputs }, dialect);
    if (!failure) return { inputs, omitted };
    const result = omitField(inputs, failure);
    if (!result) return { reason: `${failure.property} ${failure.reason}` };
    omitted.push(`${result.field} (${failure.property} ${failure.reason})`);
    inputs = result.inputs;
  }
}

function describe(record: DeploymentRecord, dialect: Dialect): DeploymentInputs {
  const inputs = importedInputs(record, dialect);
  const { resourceSpec } = inputs.sourceConfig;
  const secrets = reportedVariables(record);
  return {
    ...inputs,
    sourceConfig: { ...inputs.sourceConfig, ...(resourceSpec && { resourceSpec: sorted(resourceSpec) }) },
    ...(secrets && { secrets: sorted(secrets) }),
    adopt: "always",
  };
}

/** Returns the inputs without the field that the check rejected, or `undefined` if the field cannot be omitted. */
function omitField(
  inputs: DeploymentInputs,
  { property }: CheckFailure,
): { inputs: DeploymentInputs; field: string } | undefined {
  const [group = "", field] = property.split(".");
  // Secrets are sent as a whole, so omitting one would delete it.
  const path = group === "secrets" || isSetting(group) ? group : `${group}.${field ?? ""}`;
  if (path !== group && (field === undefined || !group.startsWith("source"))) return undefined;
  const copy = structuredClone(inputs);
  return removeInput(copy, path) ? { inputs: copy, field: path } : undefined;
}

function sorted<Value>(map: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(map).sort(([one], [other]) => (one < other ? -1 : 1)));
}
