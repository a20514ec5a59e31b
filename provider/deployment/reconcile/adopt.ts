import type { DeploymentRecord } from "../../../wire";
import { AgentServerError } from "../../errors";
import type { DeploymentInputs } from "../inputs/inputs";
import type { DeploymentState } from "../state";
import { plan } from "../plan/plan";
import { listChanges } from "../../resource/plan";
import { asRecorded } from "../drift";
import { lastRolloutOnServer, unlessUnverified } from "../rollout/last-rollout";
import { asFound } from "./plan-against-server";
import type { ControlPlaneOperation } from "../../resource/operation";
import type { Result } from "../../resource/operation";
import { finishRollout } from "../rollout/finish";
import { writePatch, type Patched } from "../patch";
import { tagWithAdoption, tagWithResumption } from "./tagging";
import { awaitedAfter, type AwaitedRevision } from "../rollout/awaited";

/** A deployment that exists and may be adopted. */
export interface Existing {
  record: DeploymentRecord;
  /** True if an interrupted create of this resource, or a replacement that was reverted, left it. */
  isOwn: boolean;
}

/**
 * Adopts a deployment: tags it as owned, updates it to match the inputs, and waits for a rollout if there is one. A
 * deployment that already matches gets no revision, however its last rollout ended.
 */
export async function adoptDeployment(
  op: ControlPlaneOperation,
  inputs: DeploymentInputs,
  { record, isOwn }: Existing,
): Promise<Result<DeploymentState>> {
  const found = record.latest_revision_id ?? undefined;
  const last = await lastRolloutOnServer(op, record.id, found);
  const steps = plan({
    before: asRecorded(inputs, record, {
      // Nothing in state says that what the server does not report was ever sent.
      known: {},
      // What this resource left may be of another program than today's; what somebody else made is left as it is.
      ...(isOwn && !op.plane.dialect.table.resolvesRefs && { keepsRefs: true }),
    }),
    wanted: inputs,
    lastRollout: isOwn ? unlessUnverified(last.rollout, inputs) : asFound(last),
    dialect: op.plane.dialect,
  });
  if (steps.action === "replace") {
    const fixed = listChanges(
      steps.changes.filter(({ effect }) => effect === "replace"),
      op.report.redact,
    );
    throw new AgentServerError(
      "immutable_field",
      `Deployment ${record.id} cannot be adopted, because these fields differ and cannot be changed: ${fixed}. Give these fields the values that it has, or delete it first.`,
      { deploymentId: record.id },
    );
  }
  const tagged = (isOwn ? tagWithResumption : tagWithAdoption)(op, record, inputs, steps);
  const { patch, tag } = tagged;
  const patched: Patched = patch ? await writePatch(op, record, patch, steps.newRevision, tag) : {};
  const left: AwaitedRevision | undefined =
    found === undefined ? undefined : { id: found, ...(!isOwn && adopted) };
  return finishRollout(op, {
    deploymentId: record.id,
    inputs,
    latestRevisionId: patched.made?.id ?? found,
    awaited: awaitedAfter(patched.made, patch) ?? left,
    wait: inputs.rollout?.wait !== false,
  });
}

const adopted = { adopted: true } as const;
