import type { Dialect } from "../../provider/control-plane/dialects";
import { type DeploymentRecord, isCommit } from "../../wire";
import type { DeploymentInputs } from "../../provider/deployment/inputs/inputs";
import { checkInputs, type CheckFailure } from "../../provider/deployment/rules/check";
import { reportedInputs } from "../../provider/deployment/current";
import { reportedVariables } from "../../provider/deployment/environment";
import { userPath } from "../../provider/deployment/mapping";
import { isSetting } from "../../provider/deployment/inputs/settings";

/** The inputs that describe a deployment as it is, and what of it they cannot say; or why there are none. */
export type ExportedInputs = { inputs: DeploymentInputs; leftOut: string[] } | { reason: string };

/** Sources that deploy an image that was built elsewhere. */
const imageSources = ["external_docker", "internal_docker"];

/** The inputs with which adopting a deployment changes nothing. */
export function inputsFor(record: DeploymentRecord, dialect: Dialect): ExportedInputs {
  let inputs = describe(record, dialect);
  const leftOut: string[] = [];
  for (;;) {
    const [fault] = checkInputs({ ...inputs }, dialect);
    if (!fault) return { inputs, leftOut };
    const without = leaveOut(inputs, fault);
    if (!without) return { reason: `${fault.property} ${fault.reason}` };
    leftOut.push(`${without.field} (${fault.property} ${fault.reason})`);
    inputs = without.inputs;
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
  for (const path of serverChosen(inputs, record, dialect)) remove(inputs, path);
  return inputs;
}

/** The branch, where the server reports it beside the commit that it was turned into. */
function branchOf({ source_config: config }: DeploymentRecord, repoRef: string | null | undefined) {
  const branch = config?.repo_branch;
  return branch && isCommit(repoRef) && !isCommit(branch) ? { repoRef: branch } : {};
}

/** Fields that the server has filled in and that are not the user's to say. */
function serverChosen(inputs: DeploymentInputs, { url }: DeploymentRecord, { table }: Dialect): string[] {
  const rule = table.sourceRules[inputs.source] ?? table.sourceRules["*"]!;
  const built = table.resolvesRefs && !imageSources.includes(inputs.source);
  return [
    ...rule.forbidden.map(userPath),
    // The image that was built of the source, and the address that the server gave.
    ...(built ? ["sourceRevisionConfig.imageUri"] : []),
    ...(built || inputs.sourceConfig.customUrl === url ? ["sourceConfig.customUrl"] : []),
  ];
}

/** Without what is at fault, if the rest is whole without it. */
function leaveOut(
  inputs: DeploymentInputs,
  { property }: CheckFailure,
): { inputs: DeploymentInputs; field: string } | undefined {
  const [group = "", field] = property.split(".");
  // Secrets are sent as a whole: without one of them, it would be deleted.
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
