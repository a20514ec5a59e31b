import type { DeploymentRecord } from "../../../wire";
import { AgentServerError } from "../../errors";
import { titleOf, type Identity } from "../inputs/identity";

/**
 * Returns the error for a conflict between a new deployment and the one that it replaces. The conflict occurs if the
 * engine creates the new deployment first. The provider does not delete the old deployment at this point, because the
 * program may specify that it is retained.
 */
export function predecessorConflict(identity: Identity, old: DeploymentRecord): AgentServerError {
  return new AgentServerError(
    "name_conflict",
    `Deployment ${titleOf(identity)} (${old.id}) would be replaced by one with the same ${identity.agent ? "agent and environment" : "name"}, which must be unique; nothing was changed. Set the resource option \`deleteBeforeReplace: true\`, and run the command again.`,
    { deploymentId: old.id },
  );
}

/** Returns the error for a conflict with an object that uses the name but cannot be adopted as a deployment. */
export function nameConflict({ name, agent }: Identity, refusal: AgentServerError): AgentServerError {
  if (agent)
    return new AgentServerError(
      "name_conflict",
      `Deployment ${titleOf({ agent })} already exists, although it is not listed: ${refusal.facts.detail}. Wait until a deleted deployment of this agent and environment is gone, or choose another environment.`,
      refusal.facts,
      { cause: refusal },
    );
  return new AgentServerError(
    "name_conflict",
    `The name "${name}" is in use, although no deployment with that name is listed: ${refusal.facts.detail}. Wait until a deleted deployment with that name is gone, delete or rename an orphaned tracing project with that name, or choose another name.`,
    refusal.facts,
    { cause: refusal },
  );
}
