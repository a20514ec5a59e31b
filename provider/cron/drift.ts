import type { CronRecord } from "../agent-server/wire";
import { recordedFields } from "../resource/plan/recorded-fields";
import type { CronInputs } from "./inputs";
import { fromWire, sentFields } from "./mapping";

/** The inputs as the server has them. */
export function asRecorded(inputs: CronInputs, record: CronRecord): CronInputs {
  const found = { ...fromWire(record), endTime: record.end_time ?? null };
  return recordedFields(
    inputs,
    { ...found, ...(record.metadata && { metadata: found.metadata ?? {} }) },
    // A graph's name comes back as the id of its own assistant, and an assistant is given for good.
    sentFields.filter((field) => field !== "assistant"),
    { endTime: (wanted, theirs) => timeOf(wanted) === timeOf(theirs) },
  );
}

function timeOf(time: unknown): number | undefined {
  return typeof time === "string" ? Date.parse(time) : undefined;
}
