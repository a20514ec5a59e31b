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
 * Returns the body of a PATCH. A server replaces a `config` or `context` in the body as a whole, except that Python
 * servers ignore an empty `config`. A server also keeps `config.configurable` and `context` identical: a new context
 * without `config` also removes the other entries of `config`, and a removed `configurable` stays in `context`. If the
 * version is no longer pinned, the body contains all declared fields, so that it creates a version with their values.
 */
export function toPatch(
  stored: AssistantRecord,
  { current, wanted, fields, metadata }: Patch<AssistantInputs>,
): Partial<AssistantBody> {
  const { graph_id, name, description, context } = toWire(wanted);
  const isUnpinned = fields.has("pinVersion") && !wanted.pinVersion;
  const isSent = (field: keyof AssistantInputs) =>
    fields.has(field) || (isUnpinned && wanted[field] !== undefined);
  const isAboutContext = isSent("context") || (isSent("config") && wanted.context != null);
  const config =
    isSent("config") || (isAboutContext && !isEmpty(stored.config))
      ? mergeConfig(wanted, current.config, stored.config)
      : undefined;
  return {
    ...(isSent("graph") && { graph_id }),
    ...(isSent("name") && name !== undefined && { name }),
    ...(isSent("description") && description !== undefined && { description }),
    // An empty `configurable` is equivalent to an empty configuration, and all servers store it.
    ...(config && { config: isEmpty(config) ? { configurable: {} } : config }),
    ...(isAboutContext && { context }),
    ...(config && leavesCopy(wanted, current.config?.configurable, config, stored) && { context: {} }),
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
  removed: Config["configurable"],
  sent: Record<string, unknown>,
  stored: AssistantRecord,
): boolean {
  return (
    context === undefined &&
    isFilled(removed) &&
    !isFilled(sent["configurable"]) &&
    [stored.config?.["configurable"], removed].some((copy) => isSameJson(copy, stored.context))
  );
}

/** True if an assistant has all values of a PATCH, except for fields that the server does not report. */
export function isPatched(body: Partial<AssistantBody>, record: AssistantRecord): boolean {
  const { config, context, metadata, description, ...others } = body;
  const own = (sent: object | null | undefined) =>
    definedEntries(isFilled(context) ? { ...sent, configurable: context } : sent);
  const isUnreported = (field: keyof AssistantRecord) => record[field] === undefined;
  return (
    Object.entries(others).every(
      ([field, value]) =>
        isUnreported(field as keyof AssistantRecord) || record[field as keyof AssistantRecord] === value,
    ) &&
    (description === undefined || description === (record.description ?? "")) &&
    (config === undefined || isUnreported("config") || isSameJson(own(config), own(record.config))) &&
    (context === undefined ||
      isUnreported("context") ||
      isFilled(config?.["configurable"]) ||
      isSame(context, record.context)) &&
    (isUnreported("metadata") ||
      Object.entries(metadata ?? {}).every(([key, value]) =>
        isSameJson(value ?? null, record.metadata?.[key] ?? null),
      ))
  );
}

/**
 * Returns the managed fields that a PATCH cleared but that still have their previous value. The API does not specify
 * that an empty object clears a field, and servers differ.
 */
export function unclearedFields(
  { config, context }: Partial<AssistantBody>,
  managed: Partial<AssistantInputs>,
  stored: AssistantRecord,
  patched: AssistantRecord,
): string[] {
  const isKept = (before: unknown, after: unknown) => before != null && isSameJson(before, after);
  const keepsEntry = (field: string) => {
    const name = wireNames[field as keyof Config];
    return isKept(stored.config?.[name], patched.config?.[name]);
  };
  const clearsContext = context !== undefined && !isFilled(context) && !isFilled(config?.["configurable"]);
  const clearsConfig = config !== undefined && !isFilled(context) && isEmpty(definedEntries(config));
  return [
    ...(clearsConfig && Object.keys(definedEntries(managed.config)).some(keepsEntry) ? ["config"] : []),
    ...(clearsContext &&
    isFilled(managed.context) &&
    isSameJson(managed.context, stored.context) &&
    [patched.context, patched.config?.["configurable"]].some((one) => isKept(managed.context, one))
      ? ["context"]
      : []),
  ];
}

function isEmpty(values: object | null | undefined): boolean {
  return Object.keys(values ?? {}).length === 0;
}

/** True if two contexts are identical; an empty one is equivalent to a missing one. */
function isSame(one: unknown, other: unknown): boolean {
  return isFilled(one) || isFilled(other) ? isSameJson(one, other) : true;
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
  const { name, description, config, version, metadata } = record;
  const { tags, recursion_limit: recursionLimit, configurable } = config ?? {};
  return {
    assistantId: record.assistant_id,
    graph: record.graph_id,
    name,
    // Servers report a description only if there is one.
    description: description || null,
    config: config && definedEntries({ tags, recursionLimit, configurable }),
    context: contextInEffect(record, wanted),
    metadata: metadata && withoutTag(metadata),
    ...(state?.pinVersion && version === state.pinVersion && { pinVersion: version }),
  };
}

/**
 * Returns the context that runs get, without a copy of the declared `config.configurable`. After another version was
 * activated, Python servers report `config.configurable` of that version together with the previous context. If the
 * context is as declared, `configurable` is returned, because it still has to be replaced.
 */
function contextInEffect(
  { config, context }: AssistantRecord,
  wanted: Partial<AssistantInputs> | undefined,
): AssistantRecord["context"] {
  const configurable = config?.["configurable"];
  if (wanted?.context === undefined || !isFilled(configurable)) return context;
  if (wanted.config?.configurable != null) return isSame(context, configurable) ? null : context;
  return isSame(context, wanted.context) ? configurable : context;
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
