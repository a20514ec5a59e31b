import type { DeploymentRecord } from "../../control-plane/wire";
import { AgentServerError } from "../../errors";
import { ownerOf } from "../mapping";
import type { Operation } from "./operation";

/** The conflict with a deployment that is there and is not this resource's own. */
export function nameConflict(name: string, other: DeploymentRecord, op: Operation): AgentServerError {
  return new AgentServerError("name_conflict", describeConflict(name, other, op.ownerId), {
    deploymentId: other.id,
  });
}

/** Whose the deployment of that name is, and the ways out. */
export function describeConflict(name: string, other: DeploymentRecord, ownerId: string): string {
  const owner = ownerOf(other);
  const whose =
    owner === ownerId
      ? "which this very resource made earlier"
      : owner
        ? "which belongs to another Pulumi resource"
        : "which no Pulumi resource is known to own";
  return `A deployment named "${name}" exists already (${other.id}), ${whose}. Ways out: take it over with \`adopt: "always"\`; choose another name; or delete that deployment first.`;
}

/** The conflict with something that holds the name without being a deployment that could be taken over. */
export function nameHeld(name: string, refusal: AgentServerError): AgentServerError {
  return new AgentServerError(
    "name_conflict",
    `The name "${name}" is held, though no deployment of that name is listed: ${refusal.facts.detail}. Ways out: wait until a deleted deployment of that name is gone; delete or rename a tracing project of that name that an earlier deployment left behind; or choose another name.`,
    refusal.facts,
    { cause: refusal },
  );
}
