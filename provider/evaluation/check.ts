import { AgentServerError } from "../errors";
import { failure, type Finding } from "../resource/inputs/finding";
import { hasUnknown } from "../resource/inputs/unknown";
import { at, type Props } from "../resource/inputs/values";
import { evaluationInputs } from "./inputs";
import { readCases } from "./dataset";

const path = "rollout.verify.evaluation";

/** Returns the problems with the dataset of an evaluation, unless the dataset is unknown. */
export async function datasetFindings(inputs: Props, projectFolder: string): Promise<Finding[]> {
  const given = at(inputs, path);
  if (given === undefined || given === null || hasUnknown(given)) return [];
  const settings = evaluationInputs.safeParse(given).data;
  if (!settings) return [];
  try {
    await readCases(settings, projectFolder);
    return [];
  } catch (error) {
    if (!AgentServerError.is(error)) throw error;
    return [failure(`${path}.${settings.dataset === undefined ? "cases" : "dataset"}`, error.message)];
  }
}
