import type { DeploymentRecord } from "../../../wire";
import { AgentServerError } from "../../errors";
import { pulumiCommand } from "../../resource/commands";
import { shortText } from "../../resource/plan";
import type { DeploymentInputs } from "../inputs/inputs";
import { at } from "../../resource/inputs/values";
import type { DeploymentPlan } from "../plan/plan";
import type { DeploymentState } from "../state";
import { apply } from "../apply";
import { refuseIgnoredNulls, refuseUnknownFields } from "./dialect-fields";
import { planAgainstServer } from "./plan-against-server";
import type { ControlPlaneOperation, Result } from "../../resource/operation";
import { finishRollout } from "../rollout/finish";
import { claim } from "../../resource/ownership/claim";
import { knownDeployment } from "../ownership/claim-deployment";
import { requireOwned } from "../ownership/find-deployment";
import { type Current, merge } from "../current";
import { tagOf } from "../ownership/tag";

/**
 * Updates a deployment to match its inputs: reads the deployment once, plans the update based on the result, executes
 * the steps of the plan, and waits if they create a revision or if an earlier rollout is still in progress.
 */
export async function updateDeployment(
  op: ControlPlaneOperation,
  id: string,
  state: DeploymentState,
  inputs: DeploymentInputs,
): Promise<Result<DeploymentState>> {
  refuseUnknownFields(op, inputs);
  const record = await requireLive(op, id);
  claim(op.report, "update", knownDeployment(op.resource, record), inputs.adopt);
  const { plan, current, previous, awaited } = await planAgainstServer(op, state, inputs, record);
  confirmServerChoices(op, plan, record);
  refuseIgnoredNulls(op, plan);
  const {
    createdId: made,
    createdIds,
    ...applied
  } = await apply(op, { record, current, inputs, plan }).catch((error: unknown) => {
    throw withAdvice(op, error, plan);
  });
  const found = record.latest_revision_id ?? undefined;
  const result = await finishRollout(op, {
    deploymentId: id,
    ...applied,
    latestRevisionId: createdIds.at(-1) ?? found,
    // While an earlier rollout is in progress, its revision stays the awaited one.
    awaited: made ?? (plan.lastRollout === "unsettled" ? awaited : undefined),
    foundRevisionId: made && found,
    ownRevisionIds: createdIds,
    wait: inputs.rollout?.wait !== false,
    previous,
    action: "changed",
  });
  const hasOtherContents = !plan.patch?.sourceRevisionConfig && isUntaggedFromOthers(record, current);
  return hasOtherContents ? { ...result, state: withContentsOfOthers(result.state) } : result;
}

/**
 * True if the source of a deployment is a folder, others have deployed different contents, and the ownership tag, which
 * would show this, is missing. Later operations would otherwise assume that the newest revision in state has the
 * contents in state.
 */
function isUntaggedFromOthers(record: DeploymentRecord, { inputs }: Current): boolean {
  const { folder, contentHash } = inputs.sourceRevisionConfig;
  return folder !== undefined && contentHash === "" && tagOf(record) === undefined;
}

/** Returns the state, changed so that the next update sends the folder. */
function withContentsOfOthers(state: DeploymentState): DeploymentState {
  return { ...state, sourceRevisionConfig: { ...state.sourceRevisionConfig, contentHash: "" } };
}

/** Adds advice to the error of an older control plane that refuses to change a field in place. */
function withAdvice(
  { plane: { dialect } }: ControlPlaneOperation,
  error: unknown,
  { patch }: DeploymentPlan,
): unknown {
  const field = Object.keys(patch?.sourceConfig ?? {}).find((one) => dialect.nextRevisionFields.has(one));
  if (field === undefined || !AgentServerError.is(error) || error.code !== "request_refused") return error;
  const path = `sourceConfig.${field}`;
  return new AgentServerError(
    error.code,
    `${error.message} If this control plane cannot change ${path} in place, request a replacement, which deletes the deployment with its threads, assistants, crons, and store: set the resource options \`replaceOnChanges: ["${path}"]\` and \`deleteBeforeReplace: true\`.`,
    error.facts,
  );
}

async function requireLive(op: ControlPlaneOperation, id: string): Promise<DeploymentRecord> {
  const record = await requireOwned(op, id);
  if (record) return record;
  throw new AgentServerError(
    "deployment_gone",
    `Deployment ${id} no longer exists. Run \`pulumi refresh\` to remove it from the state; the next \`pulumi up\` recreates it.`,
    { deploymentId: id },
  );
}

/** Rejects a new value for a field that cannot be changed in place and that the server has set. */
function confirmServerChoices(
  { resource: { identity, ownerId }, report: { redact } }: ControlPlaneOperation,
  { changes }: DeploymentPlan,
  record: DeploymentRecord,
): void {
  const change = changes.find(({ effect }) => effect === "confirm");
  if (!change) return;
  const { path } = change;
  const theirs = at(merge(undefined, { record, ownerId }).inputs, path);
  const has = theirs === undefined ? "does not report its value" : `chose ${shown(theirs, redact)}`;
  throw new AgentServerError(
    "immutable_field",
    `${path} was previously omitted and cannot be changed in place; the control plane ${has}. Omit the field, set it to the control plane's value, or replace the deployment: set the resource option \`deleteBeforeReplace: true\` and run ${pulumiCommand("up --replace", identity.urn)}.`,
    { deploymentId: record.id },
  );
}

/**
 * Formats a value for display. Values that the server reports may contain credentials that are in neither the inputs
 * nor the state.
 */
function shown(value: unknown, redact: (text: string) => string): string {
  const text = shortText(value, redact);
  return typeof value === "string" ? JSON.stringify(text) : text;
}
