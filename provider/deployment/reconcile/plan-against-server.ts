import type { DeploymentRecord } from "../../../wire";
import { AgentServerError } from "../../errors";
import type { DeploymentInputs } from "../inputs/inputs";
import { plan, type DeploymentPlan, type LastRollout } from "../plan/plan";
import { inputsIn, lastRolloutOf, type DeploymentState } from "../state";
import { asRecorded, isBuiltFrom } from "../drift";
import { lastRolloutOnServer, unlessUnverified } from "../rollout/last-rollout";
import { madeSince } from "../rollout/made-since";
import type { ControlPlaneOperation } from "../../resource/operation";
import { recordSeen } from "../rollout/record";
import { withUnverified } from "../rollout/unverified";
import { words } from "../plan/words";
import type { AwaitedRevision } from "../rollout/awaited";

/** A plan made with what the server shows. */
export interface LivePlan {
  steps: DeploymentPlan;
  /** The state of before, with what settled since. */
  previous: Partial<DeploymentState>;
  /** The revision to wait for when the plan continues to wait. */
  awaited?: AwaitedRevision;
}

/** The state's own rollout as it stands by now: time may have settled it. */
type Standing = Pick<LivePlan, "previous" | "awaited"> & { rollout: LastRollout };

/**
 * The plan from state, corrected by what became of things since: the last rollout may have settled, and an
 * update that was interrupted may have left a revision of just the wanted source, which serves as well as another.
 */
export async function planAgainstServer(
  op: ControlPlaneOperation,
  state: DeploymentState,
  inputs: DeploymentInputs,
  record: DeploymentRecord,
): Promise<LivePlan> {
  const { dialect } = op.plane;
  const verifies = Boolean(inputs.rollout?.verify);
  const { rollout: lastRollout, previous, awaited } = await standingOf(op, record, state, inputs);
  const known = inputsIn({ ...state });
  const steps = plan({ before: known, wanted: inputs, lastRollout, dialect });
  const latest = record.latest_revision_id ?? undefined;
  if (latest && latest !== state.latestRevisionId && steps.newRevision && isBuiltFrom(record, inputs)) {
    const found = await lastRolloutOnServer(op, record.id, latest);
    const rollout = unlessUnverified(found.rollout, inputs);
    // What the server does not report has not been sent, as far as anybody knows.
    const recorded = asRecorded(inputs, record, { known });
    const before = { ...recorded, rollout: inputs.rollout, adopt: inputs.adopt };
    const rest = plan({ before, wanted: inputs, lastRollout: rollout, dialect });
    if (!rest.newRevision) {
      op.report.log("info", `Revision ${latest} already has the wanted source, so no new one is made.`);
      if (rest.reasons.some(({ code }) => code === "secrets-later"))
        op.report.log(
          "warning",
          `${words["secrets-later"]}: revision ${latest} was made before they were sent. Change rollout.triggers to make one.`,
        );
      return {
        steps: rest,
        previous: { ...state, ...recordSeen(op, state, { id: latest, revision: found.revision, verifies }) },
        awaited: { id: latest },
      };
    }
    if (rollout === "failed") {
      op.report.log("info", `Revision ${latest} of the wanted source has failed, so a new one is made.`);
      return { steps, previous, awaited };
    }
  }
  reportForeignRevision(op, state, inputs, record, awaited);
  return { steps, previous, awaited };
}

async function standingOf(
  op: ControlPlaneOperation,
  record: DeploymentRecord,
  state: DeploymentState,
  inputs: DeploymentInputs,
): Promise<Standing> {
  const rollout = lastRolloutOf(state);
  if (rollout !== "unsettled") return { rollout, previous: state };
  const { id: knownId, adopted } = state.awaitedRevision!;
  const id = knownId || (await madeSince(op, state, record));
  if (id === undefined) {
    op.report.log(
      "info",
      `No revision was found for the last change of deployment ${record.id}, so one is made.`,
    );
    return { rollout: "failed", previous: state };
  }
  const seen = await lastRolloutOnServer(op, record.id, id);
  // What was made to be verified has not been, however the program is by now.
  const isUnverified = state.rollout?.verify !== undefined && !adopted && seen.rollout !== "failed";
  const unverifiedRevisionIds = isUnverified
    ? withUnverified(state.unverifiedRevisionIds, id)
    : state.unverifiedRevisionIds;
  const before = { ...state, unverifiedRevisionIds };
  const awaited: AwaitedRevision & { id: string } = { id, ...(adopted && { adopted }) };
  const verifies = Boolean(inputs.rollout?.verify);
  return {
    rollout: adopted ? asFound(seen) : unlessUnverified(seen.rollout, inputs),
    previous: { ...state, ...recordSeen(op, before, { ...awaited, revision: seen.revision, verifies }) },
    awaited,
  };
}

/** What somebody else rolled out is not this resource's to verify or to repeat. */
export function asFound({ rollout, revision }: { rollout: LastRollout; revision?: object }): LastRollout {
  return rollout === "failed" && revision ? "deployed" : rollout;
}

function reportForeignRevision(
  op: ControlPlaneOperation,
  state: DeploymentState,
  inputs: DeploymentInputs,
  record: DeploymentRecord,
  awaited: AwaitedRevision | undefined,
): void {
  const latest = record.latest_revision_id;
  if (!latest || latest === state.latestRevisionId || latest === awaited?.id) return;
  const seen = `Somebody else made revision ${latest} of deployment ${record.id} since this stack's last finished update (${state.latestRevisionId || "no revision"}), unless it was made by an interrupted update`;
  if (inputs.rollout?.onConflict === "fail")
    throw new AgentServerError(
      "foreign_revision",
      `${seen}; nothing was changed. Look at it and run \`pulumi refresh\` to accept it, or set rollout.onConflict to "proceed".`,
      { deploymentId: record.id, revisionId: latest },
    );
  op.report.log("warning", `${seen}. This update continues.`);
}
