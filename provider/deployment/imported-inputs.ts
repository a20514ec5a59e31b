import { type DeploymentRecord, isCommit } from "../../wire";
import type { Dialect } from "../control-plane/dialects";
import type { DeploymentInputs } from "./inputs/inputs";
import { reportedInputs } from "./current";
import { userPath } from "./mapping";

/** Sources that deploy an image that was built elsewhere. */
const imageSources = ["external_docker", "internal_docker"];

/** Returns the inputs that declare an existing deployment in a program. Omits values that the server has set. */
export function importedInputs(record: DeploymentRecord, dialect: Dialect): DeploymentInputs {
  const reported = reportedInputs(record);
  const { sourceRevisionConfig } = reported;
  const inputs: DeploymentInputs = {
    ...reported,
    sourceRevisionConfig: { ...sourceRevisionConfig, ...branchOf(record, sourceRevisionConfig.repoRef) },
  };
  for (const path of serverControlled(inputs, record, dialect)) removeInput(inputs, path);
  return inputs;
}

/** Returns the branch of the deployed commit, if the server reports both. */
function branchOf({ source_config: config }: DeploymentRecord, repoRef: string | null | undefined) {
  const branch = config?.repo_branch;
  return branch && isCommit(repoRef) && !isCommit(branch) ? { repoRef: branch } : {};
}

/** Returns the paths of fields that the server has set and that users do not control. */
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

/** Removes the input at a path. Returns true if there was one. */
export function removeInput(inputs: DeploymentInputs, path: string): boolean {
  const [group = "", field] = path.split(".");
  const owner = (field === undefined ? inputs : (inputs as Record<string, unknown>)[group]) as object;
  const key = field ?? group;
  return Object.hasOwn(owner, key) && Reflect.deleteProperty(owner, key);
}
