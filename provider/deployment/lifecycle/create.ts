import type { DeploymentRecord } from "../../control-plane/wire";
import { AgentServerError } from "../../errors";
import { formatDuration } from "../duration";
import type { DeploymentInputs } from "../inputs";
import { ownerOf, toCreateBody } from "../mapping";
import { adoptDeployment } from "./adopt";
import { lookPauseMs, mayHaveBeenTaken, writeTries } from "./lost-reply";
import { nameConflict, nameHeld } from "./name-conflict";
import type { LifecycleResult, Operation } from "./operation";
import { settleAndDescribe } from "./outcome";
import { isBeingDeleted } from "./presence";

/** Pause between two tries for a name that a deleted deployment still holds, in milliseconds. */
const heldNamePauseMs = 5_000;

/**
 * Makes the deployment and waits for its first revision. A deployment of this name that carries this resource's
 * mark, from a create that did not come to its end, is resumed; any other is a conflict unless `adopt` allows it.
 */
export async function createDeployment(op: Operation, inputs: DeploymentInputs): Promise<LifecycleResult> {
  const existing = await lookUp(op, inputs);
  if (existing) return adoptDeployment(op, inputs, existing);
  const made = await post(op, inputs);
  if (made.adopted) return adoptDeployment(op, inputs, made.record);
  return settleAndDescribe(op, {
    deploymentId: made.record.id,
    inputs,
    revisionId: made.record.latest_revision_id ?? undefined,
    wait: inputs.rollout?.wait !== false,
  });
}

async function post(
  op: Operation,
  inputs: DeploymentInputs,
): Promise<{ record: DeploymentRecord; adopted: boolean }> {
  for (let lostReplies = 0; ;) {
    try {
      const record = await op.client.createDeployment(toCreateBody(inputs, op.ownerId), op.signal);
      return { record, adopted: false };
    } catch (error) {
      if (mayHaveBeenTaken(error)) {
        lostReplies += 1;
        op.log(
          "warning",
          `the reply to the create of "${inputs.name}" was lost (${error.message}); looks what is there`,
        );
        await op.clock.sleep(lookPauseMs, op.signal);
        const record = await lookUp(op, inputs);
        if (record) return { record, adopted: true };
        if (lostReplies >= writeTries) throw error;
      } else if (AgentServerError.is(error) && error.facts.status === 409) {
        const record = await lookUp(op, inputs);
        if (record) return { record, adopted: true };
        await waitForName(op, inputs.name, error);
      } else {
        throw error;
      }
    }
  }
}

/** The deployment of this name that may be taken on. Throws when there is one that may not. */
async function lookUp(op: Operation, inputs: DeploymentInputs): Promise<DeploymentRecord | undefined> {
  const adopt = inputs.adopt ?? "ifOwned";
  const found = (await op.client.findByName(inputs.name, op.signal)).filter(
    (record) => !isBeingDeleted(record),
  );
  const ours = found.find((record) => ownerOf(record) === op.ownerId);
  if (ours && adopt !== "never") return ours;
  const other = found[0];
  if (!other) return undefined;
  if (adopt !== "always") throw nameConflict(inputs.name, other, op);
  return other;
}

/** A deleted deployment keeps its name for a while; a leftover tracing project keeps it for ever. */
async function waitForName(op: Operation, name: string, refusal: AgentServerError): Promise<void> {
  const held = nameHeld(name, refusal);
  const left = op.deadline - op.clock.now();
  if (/tracing project/i.test(refusal.facts.detail ?? "") || left <= 0) throw held;
  op.status.show("the name is held", `${formatDuration(left)} left for a deleted deployment to let go of it`);
  await op.clock.sleep(Math.min(heldNamePauseMs, left), op.signal);
}
