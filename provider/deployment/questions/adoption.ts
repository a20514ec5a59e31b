import { isBeingDeleted, type DeploymentRecord } from "../../../wire";
import type { Question } from "../../resource/checks";
import { failure, warning, type Finding } from "../../resource/inputs/finding";
import { shortText } from "../../resource/plan";
import type { DesiredInputs } from "../../resource/inputs/wanted";
import { merge } from "../current";
import { reportedEnvironment } from "../environment";
import { desiredIdentity } from "../inputs/identity";
import type { DeploymentInputs } from "../inputs/inputs";
import { plan } from "../plan/plan";
import { findConflict } from "./held-name";

/**
 * Checks the adoption of an existing deployment: reports changes that the adoption cannot make, and variables that it
 * removes.
 */
export const checkAdoption: Question = async (wanted, sources) => {
  const identity = desiredIdentity(wanted);
  const { dialect } = sources;
  if (!identity || !dialect || !wanted.isNew || wanted.text("adopt") !== "always") return [];
  const [record, ...others] = (await findConflict(identity, sources)).filter((one) => !isBeingDeleted(one));
  if (!record || others.length > 0) return [];
  const inputs = wanted.inputs as DeploymentInputs;
  const { changes } = plan({
    current: merge(undefined, { record, ownerId: sources.ownerId }),
    wanted: inputs,
    lastRollout: "deployed",
    dialect,
  });
  const fixed = changes.filter(({ effect, unknown }) => effect === "replace" && !unknown);
  return [
    ...fixed.map(({ path, values }) =>
      failure(
        path,
        `cannot be changed when deployment ${record.id} is adopted${values ? ` (current value: ${shortText(values.from, (text) => text)})` : ""}. Set it to the current value, or delete that deployment first`,
      ),
    ),
    ...removedVariables(wanted, record),
  ];
};

/** Reports the variables that an adoption removes, because the environment is sent as a whole. */
function removedVariables(wanted: DesiredInputs, record: DeploymentRecord): Finding[] {
  const secrets = wanted.object("secrets");
  if (!secrets) return [];
  const kept = { ...secrets, ...wanted.object("environmentVariables") };
  const removed = [...(reportedEnvironment(record)?.values.keys() ?? [])].filter(
    (name) => !Object.hasOwn(kept, name),
  );
  if (removed.length === 0) return [];
  return [
    warning(
      "secrets",
      `replaces all environment variables of deployment ${record.id} when it is adopted: ${removed.join(", ")} will be removed`,
    ),
  ];
}
