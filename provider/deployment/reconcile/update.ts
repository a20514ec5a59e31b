import type { DeploymentRecord } from "../../../wire";
import { AgentServerError } from "../../errors";
import { pulumiCommand } from "../../resource/commands";
import { isSameJson } from "../../resource/inputs/json";
import { shortText } from "../../resource/plan";
import type { DeploymentInputs } from "../inputs/inputs";
import { at } from "../../resource/inputs/values";
import { agentFromWire } from "../inputs/identity";
import { fromWireSourceConfig } from "../mapping";
import { settingsFromWire } from "../inputs/settings";
import type { DeploymentPlan, WholePatch } from "../plan/plan";
import type { DeploymentState } from "../state";
import { refuseLostNulls, refuseUnknownFields } from "./dialect-fields";
import { planAgainstServer } from "./plan-against-server";
import { tagWithUpdate } from "./tagging";
import type { ControlPlaneOperation } from "../../resource/operation";
import type { Result } from "../../resource/operation";
import { finishRollout } from "../rollout/finish";
import { writePatch, type Patched } from "../patch";
import { claim } from "../../resource/ownership/claim";
import { knownDeployment } from "../ownership/claim-deployment";
import { requireOwned } from "../ownership/find-deployment";
import { awaitedAfter } from "../rollout/awaited";

/**
 * Brings a deployment to the wanted inputs with at most one PATCH, and waits if that makes a revision or an
 * earlier rollout had not settled. Looks first at what became of that rollout.
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
  const { steps, previous, awaited } = await planAgainstServer(op, state, inputs, record);
  const found = record.latest_revision_id ?? undefined;
  confirmServerChoices(op, steps, inputs, record);
  refuseLostNulls(op, steps);
  const { patch, tag } = tagWithUpdate(op, record, inputs, steps);
  const patched: Patched = patch
    ? await writePatch(op, record, patch, steps.newRevision, tag).catch((error: unknown) => {
        throw withWayOut(op, error, patch);
      })
    : {};
  return finishRollout(op, {
    deploymentId: id,
    inputs,
    latestRevisionId: patched.made?.id ?? found,
    // While an earlier rollout is under way, its revision stays the one to wait for.
    awaited: awaitedAfter(patched.made, patch) ?? (steps.lastRollout === "unsettled" ? awaited : undefined),
    foundRevisionId: patched.made && found,
    wait: inputs.rollout?.wait !== false,
    previous,
  });
}

/** How to have what a control plane of before refuses to change in place. */
function withWayOut(
  { plane: { dialect } }: ControlPlaneOperation,
  error: unknown,
  { sourceConfig = {} }: WholePatch,
): unknown {
  const field = Object.keys(sourceConfig).find((one) => dialect.nextRevisionFields.has(one));
  if (field === undefined || !AgentServerError.is(error) || error.code !== "request_refused") return error;
  const path = `sourceConfig.${field}`;
  return new AgentServerError(
    error.code,
    `${error.message} If this control plane cannot change ${path} in place, ask for a replacement, which deletes the deployment with its threads, assistants, crons and store: set the resource options \`replaceOnChanges: ["${path}"]\` and \`deleteBeforeReplace: true\`.`,
    error.facts,
  );
}

async function requireLive(op: ControlPlaneOperation, id: string): Promise<DeploymentRecord> {
  const record = await requireOwned(op, id);
  if (record) return record;
  throw new AgentServerError(
    "deployment_gone",
    `Deployment ${id} no longer exists. Run \`pulumi refresh\` to remove it from the state; the next \`pulumi up\` creates it again.`,
    { deploymentId: id },
  );
}

/** Fields that cannot be changed in place and were the server's to choose must be given as it chose them. */
function confirmServerChoices(
  { resource: { identity }, report: { redact } }: ControlPlaneOperation,
  steps: DeploymentPlan,
  inputs: DeploymentInputs,
  record: DeploymentRecord,
): void {
  const chosen = {
    ...settingsFromWire(record),
    agent: agentFromWire(record),
    sourceConfig: fromWireSourceConfig(record.source_config),
  };
  for (const { path, effect } of steps.changes) {
    const theirs = at(chosen, path);
    if (effect !== "confirm" || isSameJson(theirs, at(inputs, path))) continue;
    const has = theirs === undefined ? "does not report its own" : `chose ${shown(theirs, redact)}`;
    throw new AgentServerError(
      "immutable_field",
      `${path} was left to the control plane so far and cannot be changed in place; the control plane ${has}. Leave the field out, give it that value, or replace the deployment: set the resource option \`deleteBeforeReplace: true\` and run ${pulumiCommand("up --replace", identity.urn)}.`,
      { deploymentId: record.id },
    );
  }
}

/** What the server reports may hold credentials that no input and no state has. */
function shown(value: unknown, redact: (text: string) => string): string {
  const text = shortText(value, redact);
  return typeof value === "string" ? JSON.stringify(text) : text;
}
