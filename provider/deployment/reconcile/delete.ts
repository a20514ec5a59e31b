import { AgentServerError } from "../../errors";
import { formatDuration, spent } from "../../text/duration";
import { isBeingDeleted, type DeploymentRecord } from "../../../wire";
import { findIdentified, isIdentifiedBy } from "../inputs/identity";
import type { DeploymentInputs } from "../inputs/inputs";
import type { DeploymentState } from "../state";
import { backoff, poll } from "../../resource/poll";
import { claim, conflict, decide } from "../../resource/ownership/claim";
import { findExisting, knownDeployment } from "../ownership/claim-deployment";
import type { ControlPlaneOperation } from "../../resource/operation";
import { requireOwned, findLive } from "../ownership/find-deployment";

const schedule = backoff({ firstMs: 500, longestMs: 10_000, growth: 1.5 });

/**
 * Deletes the deployment, and waits until the server no longer reports it or reports that it is being deleted.
 * @param known the current state; `undefined` if only the ID is known
 * @param successor inputs of the replacement that is created after the deletion
 */
export async function deleteDeployment(
  op: ControlPlaneOperation,
  id: string,
  known: DeploymentState | undefined,
  successor?: DeploymentInputs,
): Promise<void> {
  if (known?.deletionProtection) throw protectionError(id);
  if (!(await sendDelete(op, id, successor))) return;
  const startedAt = op.time.clock.now();
  const elapsed = () => formatDuration(op.time.clock.now() - startedAt);
  let left = "";
  const isGone = await poll(op.time, schedule, async () => {
    left = await readStatus(op, id);
    if (left === "gone") return true;
    op.report.status.show(`still ${left}`, spent(op.time.clock.now() - startedAt, op.time.deadline.totalMs));
    return undefined;
  });
  if (isGone) return;
  throw new AgentServerError(
    "rollout_timeout",
    `Deployment ${id} was deleted ${elapsed()} ago, but still exists (${left}). Run the command again to continue waiting.`,
    { deploymentId: id },
  );
}

/**
 * Sends the request unless the deployment no longer exists, or another resource has adopted it, possibly between two
 * attempts. Returns false if nothing was sent.
 */
async function sendDelete(
  op: ControlPlaneOperation,
  id: string,
  successor: DeploymentInputs | undefined,
): Promise<boolean> {
  const unsent = new Error("not sent");
  let isFound = false;
  const check = async () => {
    const record = await (isFound ? findLive(op, id) : requireOwned(op, id));
    // An earlier attempt may have deleted the deployment.
    if (!record && isFound) return;
    if (!record || claim(op.report, "delete", knownDeployment(op.resource, record)) === "keep") throw unsent;
    if (!isFound && successor && !isIdentifiedBy(successor, record))
      await refuseHeldName(op, record, successor);
    isFound = true;
  };
  try {
    await op.plane.client.deployments.delete(id, check, op.time.signal);
    return true;
  } catch (error) {
    if (error === unsent) return false;
    throw error;
  }
}

function protectionError(deploymentId: string): AgentServerError {
  return new AgentServerError(
    "deletion_protected",
    `Deployment ${deploymentId} was not deleted because deletionProtection is set. Set deletionProtection to false in the program, run \`pulumi up\`, and then delete it.`,
    { deploymentId },
  );
}

/** Rejects the deletion of a deployment if its replacement could not be created afterward. */
async function refuseHeldName(
  op: ControlPlaneOperation,
  record: DeploymentRecord,
  successor: DeploymentInputs,
) {
  const found = (await findIdentified(op.plane, successor, true)).filter((one) => !isBeingDeleted(one));
  const one = await findExisting(found, successor, op.resource.ownerId, async ({ id }) => {
    return (await op.plane.client.revisions.list(id, op.time.signal)).length;
  });
  if (!one || decide("create", one.existing.owner, successor.adopt) !== "refuse") return;
  const { code, message, facts } = conflict("create", one.existing);
  throw new AgentServerError(
    code,
    `Deployment "${record.name}" (${record.id}) was not replaced, because the new name is in use. ${message}`,
    facts,
  );
}

/**
 * Returns the current status of the deployment. A transient failure does not end the wait, but rejected credentials do.
 */
async function readStatus(op: ControlPlaneOperation, id: string): Promise<string> {
  try {
    const left = await findLive(op, id);
    return left ? (left.status ?? "no status") : "gone";
  } catch (error) {
    if (!AgentServerError.is(error) || error.isDenied) throw error;
    return `the last request failed: ${error.message}`;
  }
}
