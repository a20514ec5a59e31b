import type { AssistantRecord } from "../agent-server/wire";
import { isSameJson } from "../resource/inputs/json";
import { recordedFields } from "../resource/plan/recorded-fields";
import type { AssistantInputs } from "./inputs";
import { fromWire } from "./mapping";

const compared = ["graph", "name", "description", "config", "context", "metadata"];

/** The inputs as the server has them. */
export function asRecorded(inputs: AssistantInputs, record: AssistantRecord): AssistantInputs {
  // While a version is pinned, the record is that version's.
  if (inputs.pinVersion) return { ...inputs, pinVersion: record.version ?? inputs.pinVersion };
  const found = {
    name: "",
    config: {},
    metadata: {},
    ...fromWire(record),
    description: record.description || null,
    // What was given as a context comes back as `configurable` too.
    context: record.context ?? {},
  };
  return recordedFields(inputs, found, compared, { context: isSameJson });
}
