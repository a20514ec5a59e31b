import type { AssistantBody, AssistantRecord } from "../agent-server/wire";
import { AgentServerError } from "../errors";
import type { AgentServerOperation } from "../resource/operation";
import type { Found } from "../resource/kind";
import { sendOrDetect } from "../resource/write";
import type { Result } from "../resource/operation";
import { holderIn, emptyTag, ownerTag, ownerOf } from "../resource/ownership/owner-tag";
import { defaultAssistantOf } from "./default-assistant";
import { asRecorded } from "./drift";
import type { AssistantInputs } from "./inputs";
import { fromWire, toWire } from "./mapping";
import { plan } from "./plan";
import { assistantState, type AssistantState } from "./state";

type Op = AgentServerOperation;

/** `POST /assistants`, or `PATCH` for one that is adopted. */
export async function createAssistant(op: Op, inputs: AssistantInputs): Promise<Result<AssistantState>> {
  const { assistants } = op.server;
  const id = inputs.assistantId!;
  const body = { ...toWire(inputs), metadata: { ...inputs.metadata, ...ownerTag(op.resource) } };
  const made = await sendOrDetect(op.time, {
    send: () => assistants.create(id, body).catch(unlessTaken),
    look: () => assistants.find(id, op.time.signal),
  });
  if (made && ownerOf(made.metadata) === op.resource.ownerId) return finish(op, inputs, made);
  const existing = made ?? (await assistants.find(id, op.time.signal));
  if (!existing)
    throw new AgentServerError(
      "name_conflict",
      `The agent server says that assistant ${id} exists already, and does not find it. Run the command again.`,
    );
  return adopt(op, inputs, existing);
}

/** A conflict leaves the question whose it is. */
function unlessTaken(error: unknown): undefined {
  if (AgentServerError.is(error) && error.facts.status === 409) return undefined;
  throw error;
}

async function adopt(
  op: Op,
  inputs: AssistantInputs,
  record: AssistantRecord,
): Promise<Result<AssistantState>> {
  const id = record.assistant_id;
  const owner = ownerOf(record.metadata);
  const isOwn = owner === op.resource.ownerId;
  const isDefault = id === defaultAssistantOf(record.graph_id);
  if (!mayAdopt(inputs, isOwn, isDefault && owner === undefined)) throw conflict(record);
  if (isOwn)
    op.report.log("info", `Assistant ${id} is this resource's own, from a create that did not finish.`);
  else op.report.log("info", `Assistant ${id} is adopted.`);
  const body = changedBody(asRecorded(inputs, record), inputs);
  const mark = isOwn ? {} : ownerTag(op.resource);
  const metadata = { ...body?.metadata, ...mark };
  const patch = { ...body, ...(Object.keys(metadata).length > 0 && { metadata }) };
  if (Object.keys(patch).length === 0) return finish(op, inputs, record);
  return finish(op, inputs, await writePatch(op, id, patch));
}

/** The assistant that a graph has anyway is there for everybody to configure. */
function mayAdopt({ adopt = "ifOwned" }: AssistantInputs, isOwn: boolean, isFreeDefault: boolean): boolean {
  if (adopt === "always") return true;
  return adopt === "ifOwned" && (isOwn || isFreeDefault);
}

function conflict({ assistant_id: id, metadata, name }: AssistantRecord): AgentServerError {
  const held = ownerOf(metadata) === undefined ? "" : ` and belongs to ${holderIn(metadata)}`;
  return new AgentServerError(
    "name_conflict",
    `Assistant ${id}${name ? ` ("${name}")` : ""} exists already${held}. Ways out: take it over with \`adopt: "always"\`; give another \`assistantId\`; or delete that assistant first.`,
  );
}

/** `PATCH /assistants/{assistant_id}`, which makes a version; or `POST …/latest`, which goes back to one. */
export async function updateAssistant(
  op: Op,
  id: string,
  state: AssistantState,
  inputs: AssistantInputs,
): Promise<Result<AssistantState>> {
  const record = await op.server.assistants.find(id, op.time.signal);
  if (!record)
    throw new AgentServerError(
      "deployment_gone",
      `Assistant ${id} is gone. Run \`pulumi refresh\`, then \`pulumi up\` makes it again.`,
    );
  refuseForeign(op, record, inputs, "changed");
  const isReleased = Boolean(state.pinVersion) && !inputs.pinVersion;
  // The version that was pinned says nothing of what was sent before.
  const body = isReleased ? toWire(inputs) : changedBody(state, inputs);
  const mark = ownerOf(record.metadata) === op.resource.ownerId ? {} : ownerTag(op.resource);
  const metadata = { ...body?.metadata, ...mark };
  const patch = { ...body, ...(Object.keys(metadata).length > 0 && { metadata }) };
  const changed = Object.keys(patch).length > 0 ? await writePatch(op, id, patch) : record;
  return finish(op, inputs, changed);
}

/** What has to be sent; nothing while a version is pinned, which a change would not be seen in. */
function changedBody(before: AssistantInputs, wanted: AssistantInputs): Partial<AssistantBody> | undefined {
  if (wanted.pinVersion) return undefined;
  const changes = plan({ state: before, wanted, isSecret: () => false, replacesOn: () => false }).changes;
  const sent = new Set(
    changes.filter(({ effect }) => effect === "patch").map(({ path }) => path.split(".")[0]!),
  );
  const whole = toWire(wanted) as unknown as Record<string, unknown>;
  const fields = [...sent].map((field) => (field === "graph" ? "graph_id" : field));
  const body = Object.fromEntries(fields.flatMap((field) => (field in whole ? [[field, whole[field]]] : [])));
  // Metadata is merged: what is to go has to be said.
  if (sent.has("metadata"))
    body["metadata"] = { ...cleared(before.metadata, wanted.metadata), ...wanted.metadata };
  return body;
}

function cleared(before: object | undefined, wanted: object | undefined): Record<string, null> {
  const gone = Object.keys(before ?? {}).filter((key) => !Object.hasOwn(wanted ?? {}, key));
  return Object.fromEntries(gone.map((key) => [key, null]));
}

/** A version too many would be seen, so it is sent again only where the one before has surely not been made. */
async function writePatch(op: Op, id: string, body: Partial<AssistantBody>): Promise<AssistantRecord> {
  const { assistants } = op.server;
  const before = (await assistants.find(id, op.time.signal))?.version;
  return sendOrDetect(op.time, {
    send: () => assistants.update(id, body),
    look: async () => {
      const now = await assistants.find(id, op.time.signal);
      return now && now.version !== before ? now : undefined;
    },
  });
}

/** Pins a version where one is wanted. */
async function finish(
  op: Op,
  inputs: AssistantInputs,
  record: AssistantRecord,
): Promise<Result<AssistantState>> {
  const { pinVersion } = inputs;
  const isPinned = !pinVersion || record.version === pinVersion;
  const used = isPinned
    ? record
    : await op.server.assistants.useVersion(record.assistant_id, pinVersion).catch((error: unknown) => {
        if (!AgentServerError.is(error) || error.facts.status !== 404) throw error;
        throw new AgentServerError(
          "request_refused",
          `Assistant ${record.assistant_id} has no version ${pinVersion}; its newest one is ${record.version}. Correct pinVersion.`,
          error.facts,
        );
      });
  return { id: record.assistant_id, state: stateOf(op, inputs, used) };
}

function stateOf(op: Op, inputs: AssistantInputs, { version }: AssistantRecord): AssistantState {
  return {
    ...inputs,
    ...(typeof version === "number" && { version }),
    ownerId: op.resource.ownerId,
    schemaVersion: assistantState.schemaVersion,
  };
}

/** `GET /assistants/{assistant_id}`. */
export async function readAssistant(
  op: Op,
  id: string,
  known: AssistantState | undefined,
): Promise<Found<AssistantInputs, AssistantState> | undefined> {
  const record = await op.server.assistants.find(id, op.time.signal);
  if (!record) return undefined;
  const { deployment, connection } = known ?? {};
  const inputs = known
    ? asRecorded(assistantState.inputsOf<AssistantInputs>(known), record)
    : { ...(deployment && { deployment }), ...(connection && { connection }), ...fromWire(record) };
  return { inputs, state: stateOf(op, inputs, record) };
}

/** `DELETE /assistants/{assistant_id}`: only what carries this resource's tag, and never a graph's own assistant. */
export async function deleteAssistant(op: Op, id: string): Promise<void> {
  const { assistants } = op.server;
  const record = await assistants.find(id, op.time.signal);
  if (!record) return;
  const owner = ownerOf(record.metadata);
  if (owner !== op.resource.ownerId) {
    const why =
      owner === undefined ? "it carries no ownership tag" : `it belongs to ${holderIn(record.metadata)}`;
    op.report.log("warning", `Assistant ${id} is kept: ${why}.`);
    return;
  }
  if (id === defaultAssistantOf(record.graph_id)) {
    op.report.log("info", `Assistant ${id} is the graph's own, so it is released and kept.`);
    await assistants.update(id, { metadata: emptyTag });
    return;
  }
  await assistants.delete(id);
}

function refuseForeign(op: Op, record: AssistantRecord, { adopt }: AssistantInputs, action: string): void {
  const owner = ownerOf(record.metadata);
  if (owner === op.resource.ownerId || owner === undefined || adopt === "always") return;
  throw new AgentServerError(
    "name_conflict",
    `Assistant ${record.assistant_id} was not ${action}: it belongs to ${holderIn(record.metadata)} by now. Either take it back with \`adopt: "always"\`, or remove it from this program.`,
  );
}
