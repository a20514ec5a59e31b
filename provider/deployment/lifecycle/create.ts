import type { DeploymentRecord } from "../../control-plane/wire";
import { AgentServerError } from "../../errors";
import { formatDuration } from "../duration";
import type { DeploymentInputs } from "../inputs";
import { ownerOf, toCreateBody } from "../mapping";
import { adoptDeployment } from "./adopt";
import { refuseUnknownFields } from "./dialect-fields";
import { lookPause, mayHaveBeenTaken, writeTries } from "./lost-reply";
import { nameConflict, nameHeld } from "./name-conflict";
import type { LifecycleResult, Operation } from "./operation";
import { settleAndDescribe } from "./outcome";
import { reportLeftovers } from "./leftovers";
import { isBeingDeleted } from "./presence";

/** Pause between two tries for a name that a deleted deployment still holds, in milliseconds. */
const heldNamePauseMs = 5_000;

/**
 * Makes the deployment and waits for its first revision. A deployment of this name that carries this resource's
 * mark, from a create that did not come to its end, is resumed; any other is a conflict unless `adopt` allows it.
 */
export async function createDeployment(op: Operation, inputs: DeploymentInputs): Promise<LifecycleResult> {
  refuseUnknownFields(op, inputs);
  const existing = await lookUp(op, inputs);
  if (existing) return adoptDeployment(op, inputs, existing);
  await reportLeftovers(op, inputs.name);
  const made = await post(op, inputs);
  if (made.adopted) return adoptDeployment(op, inputs, made.record);
  return settleAndDescribe(op, {
    deploymentId: made.record.id,
    inputs,
    revisionId: made.record.latest_revision_id ?? undefined,
    wait: inputs.rollout?.wait !== false,
    isOwn: true,
  });
}

/** The deployment after a POST, and whether it is somebody else's that may be taken on. */
interface Posted {
  record: DeploymentRecord;
  adopted: boolean;
}

async function post(op: Operation, inputs: DeploymentInputs): Promise<Posted> {
  for (let lostReplies = 0; ;) {
    try {
      const record = await op.client.createDeployment(
        toCreateBody(inputs, op.ownerId, op.dialect),
        op.signal,
      );
      return { record, adopted: false };
    } catch (error) {
      if (mayHaveBeenTaken(error)) {
        lostReplies += 1;
        op.log(
          "warning",
          `the reply to the create of "${inputs.name}" was lost (${error.message}); looks what is there`,
        );
        await op.clock.sleep(lookPause(error), op.signal);
        const left = await lookUpAfterPost(op, inputs);
        if (left) return left;
        if (lostReplies >= writeTries) throw error;
      } else if (AgentServerError.is(error) && error.facts.status === 409) {
        const left = await lookUpAfterPost(op, inputs);
        if (left) return left;
        await waitForName(op, inputs.name, error);
      } else {
        throw error;
      }
    }
  }
}

/**
 * What is there after a POST without an answer of use. There was none with this resource's mark before, so one that
 * carries it now is what the POST made, whatever `adopt` says.
 */
async function lookUpAfterPost(op: Operation, inputs: DeploymentInputs): Promise<Posted | undefined> {
  const made = (await listByName(op, inputs)).find((record) => ownerOf(record) === op.ownerId);
  if (made) return { record: made, adopted: false };
  const record = await lookUp(op, inputs);
  return record && { record, adopted: true };
}

/** The deployment of this name that may be taken on. Throws when there is one that may not. */
async function lookUp(op: Operation, inputs: DeploymentInputs): Promise<DeploymentRecord | undefined> {
  const adopt = inputs.adopt ?? "ifOwned";
  const found = await listByName(op, inputs);
  const ours = found.find((record) => ownerOf(record) === op.ownerId);
  if (ours && adopt !== "never") return ours;
  const other = found[0];
  if (!other) return undefined;
  if (adopt !== "always") throw nameConflict(inputs.name, other, op);
  return other;
}

async function listByName(op: Operation, inputs: DeploymentInputs): Promise<DeploymentRecord[]> {
  const found = await op.client.findByName(inputs.name, op.signal);
  return found.filter((record) => !isBeingDeleted(record));
}

/** A deleted deployment keeps its name for a while; a leftover tracing project keeps it for ever. */
async function waitForName(op: Operation, name: string, refusal: AgentServerError): Promise<void> {
  const held = nameHeld(name, refusal);
  const left = op.deadline - op.clock.now();
  if (/tracing project/i.test(refusal.facts.detail ?? "") || left <= 0) throw held;
  op.status.show("the name is held", `${formatDuration(left)} left for a deleted deployment to let go of it`);
  await op.clock.sleep(Math.min(heldNamePauseMs, left), op.signal);
}
