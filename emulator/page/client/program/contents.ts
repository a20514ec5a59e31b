import type { Assistant, Cron, Item, Thread } from "@langchain/langgraph-sdk";
import { ConfigSecret, type Declaration, Inputs } from "./declaration";

type Fields = Record<string, unknown>;

/** Returns the declaration of an existing assistant. */
export function assistantDeclaration(deployment: string, assistant: Assistant): Declaration {
  const { assistant_id: assistantId, graph_id: graph, name, description, config } = assistant;
  const { tags, recursion_limit: recursionLimit, configurable } = config as Fields;
  const context = assistant.context as Fields | null | undefined;
  // Servers keep the context and `configurable` identical.
  const isContext = isFilled(context) && (!isFilled(configurable) || isSame(context, configurable));
  const settings = {
    tags: Array.isArray(tags) && tags.length > 0 ? tags : undefined,
    recursionLimit: recursionLimit ?? undefined,
    configurable: isFilled(configurable) && !isContext ? configurable : undefined,
  };
  const hasSettings = Object.values(settings).some((value) => value !== undefined);
  const { created_by: _, ...metadata } = withoutTag(assistant.metadata);
  return declaration("Assistant", name || graph, deployment, assistant.metadata, {
    graph,
    assistantId,
    name: name || undefined,
    description: description || undefined,
    config: hasSettings ? new Inputs(settings) : undefined,
    context: isContext ? context : undefined,
    metadata: isFilled(metadata) ? metadata : undefined,
  });
}

/**
 * Returns the declaration of an existing cron.
 *
 * @param assistants - Assistants of the agent; a default assistant is specified by the name of its graph.
 */
export function cronDeclaration(deployment: string, cron: Cron, assistants: Assistant[]): Declaration {
  const { cron_id: cronId, schedule, thread_id: threadId, assistant_id: assistantId } = cron;
  const reported: Fields = { ...(cron.payload as Fields), ...cron };
  const assistant = assistants.find(({ assistant_id: id }) => id === assistantId);
  const isDefault = assistant?.metadata?.["created_by"] === "system";
  const { configurable, ...config } = (reported["config"] ?? {}) as Fields;
  const { cron_id: _, ...settings } = (configurable ?? {}) as Fields;
  const metadata = withoutTag(cron.metadata);
  const whole = { ...config, ...(isFilled(settings) && { configurable: settings }) };
  const unless = (field: string, usual: unknown) => {
    const value = reported[field];
    return value == null || isSame(value, usual) ? undefined : value;
  };
  const webhook = unless("webhook", undefined);
  return declaration("Cron", `${assistant?.name ?? "agent"}-cron`, deployment, cron.metadata, {
    assistant: isDefault ? assistant.graph_id : assistantId,
    schedule,
    timezone: unless("timezone", "UTC"),
    endTime: unless("end_time", undefined),
    enabled: unless("enabled", true),
    threadId: threadId ?? undefined,
    input: reported["input"] ?? undefined,
    config: isFilled(whole) ? whole : undefined,
    context: unless("context", {}),
    metadata: isFilled(metadata) ? metadata : undefined,
    webhook: hasCredentials(webhook) ? new ConfigSecret("webhook") : webhook,
    interruptBefore: unless("interrupt_before", []),
    interruptAfter: unless("interrupt_after", []),
    onRunCompleted: threadId ? undefined : unless("on_run_completed", "delete"),
    multitaskStrategy: threadId ? unless("multitask_strategy", "enqueue") : undefined,
    durability: unless("durability", "async"),
    cronId,
  });
}

/** Returns the declaration of an item in the store. */
export function itemDeclaration(deployment: string, { namespace, key, value }: Item): Declaration {
  const notice = "Agent servers do not report the expiration or the index of an item.";
  const item = declaration("StoreItem", [...namespace, key].join("-"), deployment, undefined, {
    namespace,
    key,
    value,
  });
  return { ...item, notices: [...item.notices, notice] };
}

/** Returns the declaration of a thread. Its messages and its state are not part of a program. */
export function threadDeclaration(deployment: string, thread: Thread): Declaration {
  const { graph_id: graph, assistant_id: _, ...metadata } = withoutTag(thread.metadata);
  return declaration("Thread", `thread-${thread.thread_id.slice(-8)}`, deployment, thread.metadata, {
    threadId: thread.thread_id,
    graph: typeof graph === "string" ? graph : undefined,
    metadata: isFilled(metadata) ? metadata : undefined,
  });
}

function declaration(
  kind: Declaration["kind"],
  name: string,
  deployment: string,
  metadata: Fields | null | undefined,
  inputs: Fields,
): Declaration {
  const holder = metadata?.["agentserver_resource"];
  const isOwned = metadata?.["agentserver_owner"] != null;
  const owner = typeof holder === "string" ? `the resource ${holder}` : "another Pulumi resource";
  return {
    kind,
    name,
    deployment,
    inputs: new Inputs({ ...inputs, adopt: isOwned ? undefined : "always" }),
    notices: [
      isOwned
        ? `It is owned by ${owner}. To transfer it to another stack, set the adopt input to "always".`
        : "The first update adopts the existing object. After that, you can remove the adopt input.",
    ],
  };
}

function withoutTag(metadata: Fields | null | undefined): Fields {
  const entries = Object.entries(metadata ?? {});
  return Object.fromEntries(
    entries.filter(([key]) => !/^agentserver_(?:owner|resource|renamed_from)$/.test(key)),
  );
}

function hasCredentials(url: unknown): boolean {
  return typeof url === "string" && (/:\/\/[^\s/?#]*@/.test(url) || url.includes("?"));
}

function isFilled(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part)]));
}
