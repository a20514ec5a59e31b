import type { DeploymentRecord } from "../../control-plane/wire";
import { AgentServerError } from "../../errors";
import type { DeploymentInputs } from "../inputs";
import { plan, type LastRollout, type Plan } from "../plan/plan";
import { inputsIn, lastRolloutOf, type DeploymentState } from "../state";
import { asRecorded, isBuiltFrom } from "./drift";
import { lastRolloutOnServer, unlessUnverified } from "./last-rollout";
import type { Operation } from "./operation";
import { settledAs } from "./outcome";

/** A plan made with what the server shows. */
export interface LivePlan {
  steps: Plan;
  /** The state of before, with what settled since. */
  previous: Partial<DeploymentState>;
  /** The revision to wait for when the plan goes on waiting. */
  awaited: string;
}

/**
 * The plan from state, corrected by what became of things since: the last rollout may have settled, and an
 * update that was interrupted may have left a revision of just the wanted source, which serves as well as another.
 */
export async function planFromServer(
  op: Operation,
  state: DeploymentState,
  inputs: DeploymentInputs,
  record: DeploymentRecord,
): Promise<LivePlan> {
  const { dialect } = op;
  const last = await whatBecameOf(op, record.id, state, inputs);
  const steps = plan({ before: inputsIn({ ...state }), wanted: inputs, lastRollout: last.rollout, dialect });
  const latest = record.latest_revision_id ?? undefined;
  if (latest && latest !== state.latestRevisionId && steps.newRevision && isBuiltFrom(record, inputs)) {
    const found = await lastRolloutOnServer(op, record.id, latest);
    const rollout = unlessUnverified(found.rollout, inputs);
    const before = { ...asRecorded(inputs, record), rollout: inputs.rollout, adopt: inputs.adopt };
    const rest = plan({ before, wanted: inputs, lastRollout: rollout, dialect });
    if (!rest.newRevision) {
      op.log("info", `revision ${latest} has the wanted source already; makes no other one`);
      const settledRevision = rollout === "deployed" ? settledAs(found.revision!, op) : undefined;
      return { steps: rest, previous: { ...state, settledRevision }, awaited: latest };
    }
    if (rollout === "failed") {
      op.log("info", `revision ${latest} of the wanted source has failed; makes a new one`);
      return { steps, previous: last.previous, awaited: state.latestRevisionId };
    }
  }
  reportForeignRevision(op, state, inputs, record);
  return { steps, previous: last.previous, awaited: state.latestRevisionId };
}

/** The state's last rollout as it stands by now: time may have settled it. */
async function whatBecameOf(
  op: Operation,
  id: string,
  state: DeploymentState,
  inputs: DeploymentInputs,
): Promise<{ rollout: LastRollout; previous: Partial<DeploymentState> }> {
  const known = lastRolloutOf(state);
  if (known !== "unsettled") return { rollout: known, previous: state };
  const { rollout: seen, revision } = await lastRolloutOnServer(op, id, state.latestRevisionId);
  const rollout = unlessUnverified(seen, inputs);
  const settledRevision = rollout === "deployed" ? settledAs(revision!, op) : undefined;
  return { rollout, previous: { ...state, settledRevision } };
}

function reportForeignRevision(
  op: Operation,
  state: DeploymentState,
  inputs: DeploymentInputs,
  record: DeploymentRecord,
): void {
  const latest = record.latest_revision_id;
  // State names none while the one that the last update made could not be looked up.
  if (!latest || !state.latestRevisionId || latest === state.latestRevisionId) return;
  const seen = `somebody else made revision ${latest} of deployment ${record.id} since this stack's last finished update (${state.latestRevisionId}), unless an update that was cut off did`;
  if (inputs.rollout?.onConflict === "fail")
    throw new AgentServerError(
      "foreign_revision",
      `${seen}; nothing was changed. Look at it and run \`pulumi refresh\` to accept it, or set rollout.onConflict to "proceed".`,
      { deploymentId: record.id, revisionId: latest },
    );
  op.log("warning", `${seen}; goes on`);
}
