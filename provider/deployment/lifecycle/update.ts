import { isDeepStrictEqual } from "node:util";
import type { DeploymentRecord } from "../../control-plane/wire";
import { AgentServerError } from "../../errors";
import type { DeploymentInputs } from "../inputs";
import { fromWireSourceConfig } from "../mapping";
import type { LastRollout, Plan } from "../plan/plan";
import { plan } from "../plan/plan";
import { inputsIn, lastRolloutOf, type DeploymentState } from "../state";
import { asRecorded } from "./drift";
import { lastRolloutOnServer } from "./last-rollout";
import type { LifecycleResult, Operation } from "./operation";
import { settleAndDescribe, settledAs } from "./outcome";
import { writePatch } from "./patch";
import { findLive, refuseForeignOwner } from "./presence";

/**
 * Brings a deployment to the wanted inputs with at most one PATCH, and waits if that makes a revision or an
 * earlier rollout had not settled. Looks first at what became of that rollout.
 */
export async function updateDeployment(
  op: Operation,
  id: string,
  state: DeploymentState,
  inputs: DeploymentInputs,
): Promise<LifecycleResult> {
  const record = await requireLive(op, id);
  if (inputs.adopt !== "always") refuseForeignOwner(op, record, "changed");
  reportForeignRevision(op, state, inputs, record);
  const { rollout, previous } = await whatBecameOf(op, state, inputs, record);
  const steps = plan({
    before: inputsIn({ ...state }),
    wanted: inputs,
    lastRollout: rollout,
    dialect: op.dialect,
  });
  confirmServerChoices(steps, inputs, record);
  const revisionId = steps.patch
    ? await writePatch(op, record, steps.patch, steps.newRevision)
    : record.latest_revision_id;
  return settleAndDescribe(op, {
    deploymentId: id,
    inputs,
    // While an earlier rollout is under way, its revision stays the one to wait for.
    revisionId: (steps.resumesWait ? state.latestRevisionId : revisionId) ?? undefined,
    wait: (steps.newRevision || steps.resumesWait) && inputs.rollout?.wait !== false,
    previous: steps.newRevision ? { ...previous, settledRevision: undefined } : previous,
  });
}

async function requireLive(op: Operation, id: string): Promise<DeploymentRecord> {
  const record = await findLive(op, id);
  if (record) return record;
  throw new AgentServerError(
    "deployment_gone",
    `Deployment ${id} does not exist any more. Run \`pulumi refresh\` to take it out of the state; the next \`pulumi up\` makes it anew.`,
    { deploymentId: id },
  );
}

function reportForeignRevision(
  op: Operation,
  state: DeploymentState,
  inputs: DeploymentInputs,
  record: DeploymentRecord,
): void {
  const latest = record.latest_revision_id;
  if (!latest || latest === state.latestRevisionId) return;
  const seen = `somebody else made revision ${latest} of deployment ${record.id} since this stack's last update (${state.latestRevisionId})`;
  if (inputs.rollout?.onConflict === "fail")
    throw new AgentServerError(
      "foreign_revision",
      `${seen}; nothing was changed. Look at it and run \`pulumi refresh\` to accept it, or set rollout.onConflict to "proceed".`,
      { deploymentId: record.id, revisionId: latest },
    );
  op.log("warning", `${seen}; goes on`);
}

/** The state's last rollout as it stands by now: somebody may have mended it, or time may have. */
async function whatBecameOf(
  op: Operation,
  state: DeploymentState,
  inputs: DeploymentInputs,
  record: DeploymentRecord,
): Promise<{ rollout: LastRollout; previous: Partial<DeploymentState> }> {
  const known = lastRolloutOf(state);
  if (known === "deployed") return { rollout: known, previous: state };
  if (known === "unsettled") {
    const now = await lastRolloutOnServer(op, record.id, state.latestRevisionId);
    if (now.rollout === "deployed")
      return { rollout: "deployed", previous: { ...state, settledRevision: settledAs(now.revision!, op) } };
    if (now.rollout === "unsettled") return { rollout: "unsettled", previous: state };
  }
  const latest = record.latest_revision_id;
  if (latest && latest !== state.latestRevisionId) {
    const newer = await lastRolloutOnServer(op, record.id, latest);
    const recorded = asRecorded(inputs, record);
    const same = isDeepStrictEqual(recorded.sourceRevisionConfig, inputs.sourceRevisionConfig);
    if (same && newer.rollout === "deployed")
      return { rollout: "deployed", previous: { ...state, settledRevision: settledAs(newer.revision!, op) } };
  }
  return { rollout: "failed", previous: state };
}

/** Fields that cannot be changed in place and were the server's to choose must be given as it chose them. */
function confirmServerChoices(steps: Plan, inputs: DeploymentInputs, record: DeploymentRecord): void {
  const chosen = fromWireSourceConfig(record.source_config) as Record<string, unknown>;
  const wanted = inputs.sourceConfig as Record<string, unknown>;
  for (const { path, effect } of steps.changes) {
    const field = path.replace("sourceConfig.", "");
    if (effect !== "confirm" || isDeepStrictEqual(chosen[field], wanted[field])) continue;
    const has =
      chosen[field] === undefined ? "does not tell its own" : `chose ${JSON.stringify(chosen[field])}`;
    throw new AgentServerError(
      "immutable_field",
      `${path} was left to the control plane so far and cannot be changed in place; the control plane ${has}. Leave the field out, give it that value, or make the deployment anew with \`pulumi up --replace\` and its URN.`,
      { deploymentId: record.id },
    );
  }
}
