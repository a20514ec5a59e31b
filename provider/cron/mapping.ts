import { isGroup } from "../resource/inputs/values";
import type { CronBody, CronRecord } from "../agent-server/wire";
import { defaultAssistantOf } from "../assistant/default-assistant";
import { isSameJson } from "../resource/inputs/json";
import { withoutTag } from "../resource/ownership/owner-tag";
import type { CronInputs } from "./inputs";

/** Field names in the API. */
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

const sentFields = Object.keys(wireNames) as SentField[];

/** Values that are equivalent to an omitted value. Webhooks, inputs, and end times do not have such a value. */
const defaults: Readonly<Partial<Record<SentField, unknown>>> = {
  timezone: "UTC",
  enabled: true,
  config: {},
  context: {},
  metadata: {},
  interruptBefore: [],
  interruptAfter: [],
  onRunCompleted: "delete",
  multitaskStrategy: "enqueue",
  durability: "async",
};

/** Returns the body of a request that creates a cron. Fields that are `null` or omitted get the server's defaults. */
export function createBody(inputs: CronInputs): CronBody {
  const given = sentFields.filter((field) => (inputs[field] ?? undefined) !== undefined);
  return bodyOf(given, (field) => inputs[field]) as CronBody;
}

/** Returns the body of a request that changes these fields. A field that is `null` is set to the server's default. */
export function patchBody(inputs: CronInputs, fields: readonly string[]): Record<string, unknown> {
  const given = sentFields.filter((field) => fields.includes(field) && inputs[field] !== undefined);
  return bodyOf(given, (field) => inputs[field] ?? defaults[field] ?? null);
}

function bodyOf(fields: readonly SentField[], valueOf: (field: SentField) => unknown) {
  return Object.fromEntries(fields.map((field) => [wireNames[field], valueOf(field)]));
}

/** Returns the inputs that a record reports; unreported fields are missing. */
export function fromWire(record: CronRecord): Partial<CronInputs> {
  const { payload, metadata, ...own } = record as Record<string, unknown>;
  const reported: Record<string, unknown> = { ...withoutCronId(payload), ...own };
  const fields = sentFields.flatMap((field) => {
    const value = reported[wireNames[field]];
    return value === undefined || value === null ? [] : [[field, value] as const];
  });
  const others = withoutTag(metadata as Record<string, unknown> | null | undefined);
  return {
    ...(Object.fromEntries(fields) as Partial<CronInputs>),
    ...(typeof record.thread_id === "string" && { threadId: record.thread_id }),
    ...(Object.keys(others).length > 0 && { metadata: others }),
  };
}

/** Returns the inputs that declare an existing cron in a program, without values that are defaults. */
export function importedInputs(record: CronRecord): CronInputs {
  const { multitaskStrategy, onRunCompleted, ...others } = fromWire(record);
  const all = { ...others, ...(record.thread_id ? { multitaskStrategy } : { onRunCompleted }) };
  const declared = Object.entries(all).filter(
    ([field, value]) => value !== undefined && !isSameJson(value, defaults[field as SentField]),
  );
  return Object.fromEntries(declared) as CronInputs;
}

/** Returns a payload without the cron ID that servers add to its configuration. */
function withoutCronId(payload: unknown): Record<string, unknown> {
  if (!isGroup(payload) || !isGroup(payload.config) || !isGroup(payload.config.configurable))
    return isGroup(payload) ? payload : {};
  const { config, ...others } = payload;
  const { configurable, ...rest } = config;
  const { cron_id: _, ...declared } = configurable as Record<string, unknown>;
  const kept = { ...rest, ...(Object.keys(declared).length > 0 && { configurable: declared }) };
  return { ...others, ...(Object.keys(kept).length > 0 && { config: kept }) };
}

/** Returns the inputs that a record reports, including empty ones; unreported fields are missing. */
function reportedInputs(record: CronRecord): Record<string, unknown> {
  return {
    ...(isGroup(record.payload?.["config"]) && { config: {} }),
    ...fromWire(record),
    ...(record.end_time === null && { endTime: null }),
    ...(record.timezone === null && { timezone: "UTC" }),
    ...(record.metadata && { metadata: withoutTag(record.metadata) }),
  };
}

/** True if an input that is set on a server can be cleared only by replacing the cron. */
function isClearedByReplacement(field: string): boolean {
  return field === "input" || field === "webhook";
}

/**
 * Updates the known inputs with the values that the record reports. Omitted inputs are left to the server; unreported
 * fields keep their known values. Inputs that only a replacement can clear stay `null`: the server's value may be a
 * secret that the program no longer declares.
 */
export function observedInputs(known: CronInputs, record: CronRecord): CronInputs {
  const reported = reportedInputs(record);
  const changed = sentFields.flatMap((field) => {
    // The assistant of a cron never changes. The record contains its ID, but the input may be the name of a
    // graph.
    if (field === "assistant" || known[field] === undefined || reported[field] === undefined) return [];
    if (known[field] === null && isClearedByReplacement(field)) return [];
    const declared = known[field] ?? defaults[field] ?? null;
    // Servers add entries to the metadata and the configuration.
    const isShared = field === "metadata" || field === "config";
    const theirs = isShared ? declaredPart(declared, reported[field]) : reported[field];
    return isSameValue(field, declared, theirs) ? [] : [[field, theirs] as const];
  });
  return { ...known, ...Object.fromEntries(changed) };
}

/** Returns the inputs with the values that the record reports; `null` represents a value that does not exist. */
export function reportedPart(inputs: CronInputs, record: CronRecord): CronInputs {
  const reported = reportedInputs(record);
  // A payload need not contain empty values.
  const isEmptyInPayload = (field: string, value: unknown) =>
    ["config", "context"].includes(field) && isGroup(record.payload) && isCleared(value);
  const isReported = ([field, value]: [string, unknown]) =>
    value === null ||
    !(sentFields as readonly string[]).includes(field) ||
    reported[field] !== undefined ||
    isEmptyInPayload(field, value);
  return Object.fromEntries(Object.entries(inputs).filter(isReported)) as CronInputs;
}

/**
 * Returns the names of the inputs that are `null` in the program but still set on the server.
 * @param known the names according to an earlier response, for servers that do not report these inputs
 */
export function unclearedInputs(
  inputs: CronInputs,
  record: CronRecord,
  known: readonly string[] = [],
): string[] {
  const reported = fromWire(record);
  const isSet = (field: SentField) =>
    reported[field] !== undefined || (!isGroup(record.payload) && known.includes(field));
  return sentFields.filter(
    (field) => isClearedByReplacement(field) && inputs[field] === null && isSet(field),
  );
}

function isSameValue(field: SentField, one: unknown, other: unknown): boolean {
  if (field === "endTime" && typeof one === "string" && typeof other === "string")
    return Date.parse(one) === Date.parse(other);
  return isSameJson(one, other);
}

/** Returns the part of a reported value that the program declares. Cleared entries that do not exist are kept. */
function declaredPart(declared: unknown, reported: unknown): unknown {
  if (!isGroup(declared) || !isGroup(reported)) return reported;
  const kept = Object.entries(declared).flatMap(([key, value]) => {
    const theirs = reported[key] ?? undefined;
    if (theirs !== undefined) return [[key, declaredPart(value, theirs)]];
    return isCleared(value) ? [[key, value]] : [];
  });
  return Object.fromEntries(kept);
}

/** True for `null`, and for a map without any other values. */
function isCleared(value: unknown): boolean {
  return value === null || (isGroup(value) && Object.values(value).every(isCleared));
}

/** True if the cron runs this assistant. */
export function isAssistant(assistant: string, { assistant_id: id }: CronRecord): boolean {
  return id != null && isSameAssistant(assistant, id);
}

/** True if two inputs specify the same assistant. A graph name represents the graph's default assistant. */
export function isSameAssistant(one: string, other: string): boolean {
  return (
    one.toLowerCase() === other.toLowerCase() ||
    one === defaultAssistantOf(other) ||
    other === defaultAssistantOf(one)
  );
}

/** True if the cron runs on this thread or, if no thread is specified, each run has its own thread. */
export function isOnThread(threadId: string | undefined, { thread_id: id }: CronRecord): boolean {
  return (id ?? undefined)?.toLowerCase() === threadId?.toLowerCase();
}

/**
 * True if a PATCH can change the cron of an interrupted create to the declared one. A PATCH cannot change the
 * assistant, the thread, or the multitask strategy, and cannot clear an input or a webhook. Fields that the program no
 * longer declares are not sent.
 */
export function canPatchTo(inputs: CronInputs, record: CronRecord): boolean {
  const reported = fromWire(record);
  const isPatched = (field: SentField) =>
    ["schedule", "enabled"].includes(field) ||
    (field !== "multitaskStrategy" &&
      inputs[field] !== undefined &&
      (inputs[field] !== null || field in defaults || field === "endTime"));
  const isSame = (field: SentField) =>
    isSameJson(inputs[field] ?? defaults[field], reported[field] ?? defaults[field]);
  return (
    isAssistant(inputs.assistant, record) &&
    isOnThread(inputs.threadId, record) &&
    sentFields.every((field) => field === "assistant" || isPatched(field) || isSame(field))
  );
}
