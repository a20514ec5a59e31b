import type { Dialect } from "../../provider/control-plane/dialects";
import { type DeploymentRecord, isCommit } from "../../wire";
import type { DeploymentInputs } from "../../provider/deployment/inputs/inputs";
import { checkInputs, type CheckFailure } from "../../provider/deployment/rules/check";
import { reportedInputs } from "../../provider/deployment/current";
import { reportedVariables } from "../../provider/deployment/environment";
import { userPath } from "../../provider/deployment/mapping";
import { isSetting } from "../../provider/deployment/inputs/settings";

/** Inputs that describe a deployment, with the fields that they cannot represent; or the reason why there are none. */
export type ExportedInputs = { inputs: DeploymentInputs; omitted: string[] } | { reason: string };

/** Sources that deploy an image built elsewhere. */
const imageSources = ["external_docker", "internal_docker"];

/** Returns the inputs with which adopting a deployment changes nothing. */
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
  const { sourceConfig, sourceRevisionConfig, ...rest } = reportedInputs(record);
  const secrets = reportedVariables(record);
  const inputs: DeploymentInputs = {
    ...rest,
    sourceConfig: {
      ...sourceConfig,
      ...(sourceConfig.resourceSpec && sortedSpec(sourceConfig.resourceSpec)),
    },
    sourceRevisionConfig: { ...sourceRevisionConfig, ...branchOf(record, sourceRevisionConfig.repoRef) },
    ...(secrets && { secrets: sorted(secrets) }),
    adopt: "always",
  };
  for (const path of serverControlled(inputs, record, dialect)) remove(inputs, path);
  return inputs;
}

/** Returns the branch, if the server reports it next to the commit that it resolved to. */
function branchOf({ source_config: config }: DeploymentRecord, repoRef: string | null | undefined) {
  const branch = config?.repo_branch;
  return branch && isCommit(repoRef) && !isCommit(branch) ? { repoRef: branch } : {};
}

/** Returns fields that the server has set and that users do not control. */
function serverControlled(inputs: DeploymentInputs, { url }: DeploymentRecord, { table }: Dialect): string[] {
  const rule = table.sourceRules[inputs.source] ?? table.sourceRules["*"]!;
  const built = table.resolvesRefs && !imageSources.includes(inputs.source);
  return [
    ...rule.forbidden.map(userPath),
    // The image that was built from the source, and the URL that the server assigned.
    ...(built ? ["sourceRevisionConfig.imageUri"] : []),
    ...(built || inputs.sourceConfig.customUrl === url ? ["sourceConfig.customUrl"] : []),
  ];
}

/** Removes an invalid field, if the inputs are complete without it. */
function omitField(
  inputs: DeploymentInputs,
  { property }: CheckFailure,
): { inputs: DeploymentInputs; field: string } | undefined {
  const [group = "", field] = property.split(".");
  // Secrets are sent as a whole, so omitting one would delete it.
  const path = group === "secrets" || isSetting(group) ? group : `${group}.${field ?? ""}`;
  if (path !== group && (field === undefined || !group.startsWith("source"))) return undefined;
  const copy = structuredClone(inputs);
  return remove(copy, path) ? { inputs: copy, field: path } : undefined;
}

function remove(inputs: DeploymentInputs, path: string): boolean {
  const [group = "", field] = path.split(".");
  const owner = (field === undefined ? inputs : (inputs as Record<string, unknown>)[group]) as object;
  const key = field ?? group;
  return Object.hasOwn(owner, key) && Reflect.deleteProperty(owner, key);
}

function sortedSpec(spec: Record<string, unknown>) {
  return { resourceSpec: sorted(spec) };
}

function sorted<Value>(map: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(map).sort(([one], [other]) => (one < other ? -1 : 1)));
}
