import type { AssistantBody, AssistantRecord } from "../agent-server/wire";
import type { Patch } from "../resource/tagged";
import { withoutTag } from "../resource/ownership/owner-tag";
import { isSameJson } from "../resource/inputs/json";
import type { AssistantInputs } from "./inputs";

type Config = NonNullable<AssistantInputs["config"]>;

/** Returns the body of a request that creates an assistant. */
export function toWire(inputs: AssistantInputs): AssistantBody {
  const { graph, name, description, config, context, metadata } = inputs;
  return {
    graph_id: graph,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description: description ?? "" }),
    ...(config !== undefined && { config: configToWire(config) }),
    ...(context !== undefined && { context: context ?? {} }),
    ...(metadata != null && { metadata }),
  };
}

/**
 * Returns the body of a PATCH. A server replaces `config` and `context` as a whole, and keeps `config.configurable` and
 * `context` identical: a new context without `config` also removes the other entries of `config`, and a removed
 * `configurable` stays in `context`.
 */
export function toPatch(
  stored: AssistantRecord,
  { current, wanted, fields, metadata }: Patch<AssistantInputs>,
): Partial<AssistantBody> {
  const { graph_id, name, description, context } = toWire(wanted);
  const isAboutContext = fields.has("context") || (fields.has("config") && wanted.context != null);
  const config =
    fields.has("config") || (isAboutContext && !isEmptyConfig(stored.config))
      ? mergeConfig(wanted, current.config, stored.config)
      : undefined;
  return {
    ...(fields.has("graph") && { graph_id }),
    ...(fields.has("name") && name !== undefined && { name }),
    ...(fields.has("description") && description !== undefined && { description }),
    ...(config && { config }),
    ...(isAboutContext && { context }),
    ...(config &&
      current.config?.configurable != null &&
      leavesCopy(wanted, config, stored) && { context: {} }),
    ...(metadata && { metadata }),
  };
}

/** Returns the stored configuration with the desired entries added and those that are no longer desired removed. */
function mergeConfig(
  { config, context }: AssistantInputs,
  current: Config | null | undefined,
  stored: Record<string, unknown> | null | undefined,
): Record<string, unknown> {
  if (config === null) return {};
  const removed = Object.keys(wireNames).filter(
    (field) =>
      config !== undefined &&
      config[field as keyof Config] == null &&
      (field in config || (current && field in current)),
  );
  // A cleared context must not remain in `configurable`.
  const isContext = context != null || (context === null && config?.configurable == null);
  const dropped = [...removed, ...(isContext ? ["configurable"] : [])].map(
    (field) => wireNames[field as keyof Config],
  );
  const kept = Object.entries(stored ?? {}).filter(([name]) => !dropped.some((one) => one === name));
  return { ...Object.fromEntries(kept), ...configToWire(config ?? null) };
}

/** True if the server would keep the copy of a removed `config.configurable` in a `context` that is not declared. */
function leavesCopy(
  { context }: AssistantInputs,
  sent: Record<string, unknown>,
  stored: AssistantRecord,
): boolean {
  return (
    context === undefined &&
    isSameJson(sent["configurable"] ?? {}, {}) &&
    isSameJson(stored.config?.["configurable"], stored.context)
  );
}

function isEmptyConfig(config: Record<string, unknown> | null | undefined): boolean {
  return Object.keys(config ?? {}).length === 0;
}

const wireNames = {
  tags: "tags",
  recursionLimit: "recursion_limit",
  configurable: "configurable",
} as const satisfies Record<keyof Config, string>;

function configToWire(config: Config | null): Record<string, unknown> {
  const { tags, recursionLimit, configurable } = config ?? {};
  return {
    ...(tags != null && { tags }),
    ...(recursionLimit != null && { recursion_limit: recursionLimit }),
    ...(configurable != null && { configurable }),
  };
}

function configFromWire(config: Record<string, unknown> | null | undefined): Config {
  const { tags, recursion_limit: recursionLimit, configurable } = config ?? {};
  return {
    ...(Array.isArray(tags) && { tags: tags as string[] }),
    ...(typeof recursionLimit === "number" && { recursionLimit }),
    ...(isFilled(configurable) && { configurable }),
  };
}

function isFilled(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** Returns all inputs that a record reports. */
export function fromWire(record: AssistantRecord): Omit<AssistantInputs, "deployment" | "connection"> {
  const { context } = record;
  const { configurable, ...others } = configFromWire(record.config);
  // Servers keep `context` and `configurable` identical.
  const isContext = isFilled(context) && (!configurable || isSameJson(context, configurable));
  const config = isContext || !configurable ? others : { ...others, configurable };
  const { created_by: _ofServer, ...metadata } = withoutTag(record.metadata);
  return {
    graph: record.graph_id,
    assistantId: record.assistant_id,
    ...(record.name && { name: record.name }),
    ...(record.description && { description: record.description }),
    ...(Object.keys(config).length > 0 && { config }),
    ...(isContext && { context }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

/** Returns the fields that a record reports. While a version is pinned, these are the fields of that version. */
export function reported(
  record: AssistantRecord,
  state?: Partial<AssistantInputs>,
  wanted?: Partial<AssistantInputs>,
): object {
  if (wanted?.pinVersion)
    return { assistantId: record.assistant_id, pinVersion: record.version ?? undefined };
  if (!state && !wanted) return fromWire(record);
  const { name, description, config, context, metadata } = record;
  const { tags, recursion_limit: recursionLimit, configurable } = config ?? {};
  return {
    assistantId: record.assistant_id,
    graph: record.graph_id,
    name,
    // Servers report a description only if there is one.
    description: description || null,
    config: config && definedEntries({ tags, recursionLimit, configurable }),
    context,
    metadata: metadata && withoutTag(metadata),
  };
}

/** True if two configurations have the same entries; an empty configuration is equivalent to a missing one. */
export function isSameConfig(one: unknown, other: unknown): boolean {
  return isSameJson(definedEntries(one as object | null), definedEntries(other as object | null));
}

function definedEntries(values: object | null | undefined): object {
  const isDefined = (value: unknown) =>
    value != null && !(typeof value === "object" && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => isDefined(value)));
}
