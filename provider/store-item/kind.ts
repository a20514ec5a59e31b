import { isSameJson } from "../resource/inputs/json";
import { hasUnknown } from "../resource/inputs/unknown";
import type { AgentServerKind } from "../resource/kind";
import type { AgentServerOperation, Result } from "../resource/operation";
import { distinctOwners } from "../resource/ownership/derived-id";
import { commonWords } from "../resource/plan";
import { changesConnection, managed, planByFields, type FieldEffect } from "../resource/plan/field-plan";
import { hashOf } from "../store-items/items";
import {
  askItems,
  deleteItems,
  forgetRecord,
  type ItemSet,
  itemsThere,
  readerOf,
  storeItems,
} from "../store-items/reconcile";
import { storeItemInputs, type StoreItemInputs } from "./inputs";
import { storeItemState, type StoreItemState } from "./state";

type Op = AgentServerOperation;

const effects: Readonly<Record<string, FieldEffect>> = {
  namespace: "replace",
  key: "replace",
  value: "patch",
  index: managed("patch"),
  ttl: managed("patch"),
  adopt: "state",
};

/** Resource kind for items in an agent server's store (`/store/items`). Each item is managed as a set with one item. */
export const storeItemKind = (): AgentServerKind<StoreItemInputs, StoreItemState> => ({
  type: "StoreItem",
  endpointType: "agent server",
  idForm: "<namespace>/<key>",
  inputs: storeItemInputs,
  outputs: storeItemState.outputs,
  omittable: { value: {} },
  readState: storeItemState.read,
  checks: () => ({
    compareResources: distinctOwners(),
    rules: () => [],
    questions: [
      askItems(["value", "index", "ttl"], ({ key, value }) =>
        typeof key !== "string" || value === undefined || hasUnknown(value)
          ? undefined
          : { [key]: hashOf(value) },
      ),
    ],
  }),
  plan: (question) => planByFields(effects, question, changesConnection),
  words: {
    ...commonWords,
    patch: "put into the store again",
    "patch?": "put into the store again (value not known yet)",
  },
  create: (op, inputs) => store(op, inputs),
  update: (op, _id, known, inputs) => store(op, inputs, known),
  read: async (op, id, known) => {
    const { namespace, key } = known ?? placeIn(id);
    const value = (await itemsThere(readerOf(op), namespace, [key])).get(key);
    if (!value) {
      // The engine does not call delete for an item that no longer exists, so its record would remain.
      if (known) await forgetRecord(op, setOf(known));
      return undefined;
    }
    const before = known ? storeItemState.inputsOf<StoreItemInputs>(known) : { namespace, key, value };
    const inputs = isSameJson(before.value, value) ? before : { ...before, value };
    return { inputs, state: stateOf(op, inputs) };
  },
  delete: async (op, _id, known) => {
    if (known) await deleteItems(op, setOf(known), { [known.key]: hashOf(known.value) });
  },
});

async function store(
  op: Op,
  inputs: StoreItemInputs,
  known?: StoreItemState,
): Promise<Result<StoreItemState>> {
  const before = known && { ...known, hashes: { [known.key]: hashOf(known.value) } };
  const { hashes, index, ttl, problem } = await storeItems(op, setOf(inputs), before);
  const isStored = hashes[inputs.key] === hashOf(inputs.value);
  if (problem && !isStored && !known) throw problem.error;
  const value = isStored || !known ? inputs.value : known.value;
  return {
    id: `${inputs.namespace.join(".")}/${inputs.key}`,
    state: stateOf(op, { ...inputs, value, index, ttl }),
    ...(problem && { problem: { error: problem.error, reasons: [problem.error.message] } }),
  };
}

function setOf({ key, value, ...options }: StoreItemInputs): ItemSet {
  return { ...options, items: new Map([[key, value]]), part: key };
}

function stateOf(op: Op, inputs: StoreItemInputs): StoreItemState {
  return storeItemState.write(op.resource, inputs);
}

function placeIn(id: string): Pick<StoreItemInputs, "namespace" | "key"> {
  const slash = id.indexOf("/");
  return { namespace: id.slice(0, slash).split("."), key: id.slice(slash + 1) };
}
