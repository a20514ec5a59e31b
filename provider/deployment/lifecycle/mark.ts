import type { DeploymentRecord } from "../../control-plane/wire";
import type { DeploymentInputs } from "../inputs";
import { ownerOf, secretsOf } from "../mapping";
import type { DeploymentPatch, Plan } from "../plan/plan";
import type { Operation } from "./operation";

/**
 * The patch of an adoption, with the mark of ownership in it. Where secrets make a revision, a deployment that carries
 * no mark gets it with its next revision: an adoption alone makes none. The mark of another resource is replaced at
 * once, since that one would go on changing the deployment.
 */
export function markWithAdoption(
  op: Operation,
  record: DeploymentRecord,
  inputs: DeploymentInputs,
  { patch, newRevision }: Plan,
): DeploymentPatch | undefined {
  const secrets = inputs.secrets ?? secretsOf(record);
  if (!secrets) {
    op.log("warning", `${record.id} cannot be marked: the server does not return its secrets`);
    return patch;
  }
  const revises = op.dialect.revises.secrets && !newRevision;
  if (revises && ownerOf(record) === undefined) {
    op.log("info", `${record.id} is marked with its next revision: the mark alone would make one`);
    return patch;
  }
  if (revises) op.log("info", `${record.id} carries another resource's mark: replacing it makes a revision`);
  return { ...patch, secrets };
}

/**
 * The patch of an update, with the mark that an adoption left to the next revision. The mark of another resource, which
 * adopted the deployment, is replaced at once: it gets here only where `adopt` is `always`.
 */
export function markWithUpdate(
  op: Operation,
  record: DeploymentRecord,
  inputs: DeploymentInputs,
  { patch, newRevision }: Plan,
): DeploymentPatch | undefined {
  const secrets = inputs.secrets ?? secretsOf(record);
  const owner = ownerOf(record);
  if (owner !== undefined && owner !== op.ownerId) {
    op.log("warning", `takes ${record.id} back: another Pulumi resource had adopted it`);
    return { ...patch, secrets };
  }
  const isLeft = op.dialect.revises.secrets && secrets && owner === undefined;
  return isLeft && newRevision ? { ...patch, secrets } : patch;
}
