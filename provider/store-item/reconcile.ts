import { AgentServerError } from "../errors";
import type { AgentServerOperation } from "../resource/operation";
import { isSameJson } from "../resource/inputs/json";
import type { Found } from "../resource/kind";
import type { Result } from "../resource/operation";
import type { StoreItemInputs } from "./inputs";
import { storeItemState, type StoreItemState } from "./state";

type Op = AgentServerOperation;

/**
 * `PUT /store/items`. Nobody knows whose an item is, so one that is there and says something else is taken over only where
 * the program says so.
 */
export async function createStoreItem(op: Op, inputs: StoreItemInputs): Promise<Result<StoreItemState>> {
  const { namespace, key, value, adopt } = inputs;
  const existing = await op.server.store.find(namespace, key, op.time.signal);
  const isSame = existing !== undefined && isSameJson(existing.value, value);
  if (existing && !isSame && adopt !== "always")
    throw new AgentServerError(
      "name_conflict",
      `There is another item ${titleOf(inputs)} in the store already. Ways out: take it over with \`adopt: "always"\`; choose another key; or delete that item first.`,
    );
  if (existing) op.report.log("info", `Item ${titleOf(inputs)} is adopted.`);
  return put(op, inputs);
}

/** `PUT /store/items`. */
export function updateStoreItem(
  op: Op,
  _id: string,
  _state: StoreItemState,
  inputs: StoreItemInputs,
): Promise<Result<StoreItemState>> {
  return put(op, inputs);
}

async function put(op: Op, inputs: StoreItemInputs): Promise<Result<StoreItemState>> {
  const { namespace, key, value, index, ttl } = inputs;
  await op.server.store.put({
    namespace,
    key,
    value,
    ...(index !== undefined && { index }),
    ...(ttl !== undefined && { ttl }),
  });
  return { id: titleOf(inputs), state: stateOf(op, inputs) };
}

function stateOf({ resource: { ownerId } }: Op, inputs: StoreItemInputs): StoreItemState {
  return { ...inputs, ownerId, schemaVersion: storeItemState.schemaVersion };
}

/** `GET /store/items`. */
export async function readStoreItem(
  op: Op,
  id: string,
  known: StoreItemState | undefined,
): Promise<Found<StoreItemInputs, StoreItemState> | undefined> {
  const place = known ?? placeIn(id);
  const record = await op.server.store.find(place.namespace, place.key, op.time.signal);
  if (!record) return undefined;
  const before = known ? storeItemState.inputsOf<StoreItemInputs>(known) : { ...place, value: {} };
  const inputs = isSameJson(before.value, record.value) ? before : { ...before, value: record.value };
  return { inputs, state: stateOf(op, inputs) };
}

/** `DELETE /store/items`. */
export async function deleteStoreItem(op: Op, id: string, known: StoreItemState | undefined): Promise<void> {
  const { namespace, key } = known ?? placeIn(id);
  await op.server.store.delete(namespace, key);
}

/** Its namespace and its key, as its id. */
function titleOf({ namespace, key }: Pick<StoreItemInputs, "namespace" | "key">): string {
  return `${namespace.join(".")}/${key}`;
}

function placeIn(id: string): Pick<StoreItemInputs, "namespace" | "key"> {
  const slash = id.indexOf("/");
  return { namespace: id.slice(0, slash).split("."), key: id.slice(slash + 1) };
}
