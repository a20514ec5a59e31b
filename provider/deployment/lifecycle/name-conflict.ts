import type { DeploymentRecord } from "../../control-plane/wire";
import { AgentServerError } from "../../errors";
import { ownerOf } from "../ownership-tag";
import type { Operation } from "./operation";

/** The conflict with a deployment that is there and is not this resource's own. */
export function nameConflict(name: string, other: DeploymentRecord, op: Operation): AgentServerError {
  return new AgentServerError("name_conflict", describeConflict(name, other, op.ownerId), {
    deploymentId: other.id,
  });
}

/** Whose the deployment of that name is, and the ways out. */
export function describeConflict(name: string, other: DeploymentRecord, ownerId: string): string {
  return `A deployment named "${name}" exists already (${other.id}). ${whose(other, ownerId)} Ways out: take it over with \`adopt: "always"\`; choose another name; or delete that deployment first.`;
}

function whose(other: DeploymentRecord, ownerId: string): string {
  const owner = ownerOf(other);
  if (owner === undefined) return "No Pulumi resource is known to own it.";
  if (owner !== ownerId) return "It belongs to another Pulumi resource.";
  return "It carries this resource's own ownership tag, but no state of this stack knows it: another state may, of a stack of the same name, or this stack has lost it.";
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

/** Whether a control plane says, in refusing a create, that the name is not free. */
export function isAboutName({ facts: { detail = "" } }: AgentServerError, name: string): boolean {
  return (
    detail.includes(name) || /\bnamed?\b|\balready exists\b|\btracing project\b|\bduplicate\b/i.test(detail)
  );
}
