import type { CronBody, CronRecord } from "../agent-server/wire";
import { withoutTag } from "../resource/ownership/owner-tag";
import type { CronInputs } from "./inputs";

/** The names of fields as they travel. */
const wireNames = {
  assistant: "assistant_id",
  schedule: "schedule",
  timezone: "timezone",
  endTime: "end_time",
  enabled: "enabled",
  input: "input",
  config: "config",
  context: "context",
  metadata: "metadata",
  webhook: "webhook",
  interruptBefore: "interrupt_before",
  interruptAfter: "interrupt_after",
  onRunCompleted: "on_run_completed",
  multitaskStrategy: "multitask_strategy",
  durability: "durability",
} as const satisfies Partial<Record<keyof CronInputs, string>>;

type SentField = keyof typeof wireNames;

/** The fields of a cron that are sent. */
export const sentFields = Object.keys(wireNames) as SentField[];

/** What is sent of a cron: the fields that a program gives, or only some of them. */
export function toWire(inputs: CronInputs, fields: readonly string[] = sentFields): CronBody {
  const given = sentFields.filter((field) => fields.includes(field) && inputs[field] !== undefined);
  return Object.fromEntries(given.map((field) => [wireNames[field], inputs[field]])) as CronBody;
}

/** What a record tells of a cron, in the user's words; what is not told is missing. */
export function fromWire(record: CronRecord): Partial<CronInputs> {
  const { payload, metadata, ...own } = record as Record<string, unknown>;
  const told: Record<string, unknown> = { ...(payload as object | null), ...own };
  const fields = sentFields.flatMap((field) => {
    const value = told[wireNames[field]];
    return value === undefined || value === null ? [] : [[field, value] as const];
  });
  const found = Object.fromEntries(fields) as Partial<CronInputs>;
  const others = withoutTag(metadata as Record<string, unknown> | null | undefined);
  return { ...found, ...(Object.keys(others).length > 0 && { metadata: others }) };
}
