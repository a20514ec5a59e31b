import type { AssistantBody, AssistantRecord } from "../agent-server/wire";
import { withoutTag } from "../resource/ownership/owner-tag";
import type { AssistantInputs } from "./inputs";

type Config = NonNullable<AssistantInputs["config"]>;

/** What is sent of an assistant: the fields that a program gives. */
export function toWire(inputs: AssistantInputs): AssistantBody {
  const { graph, name, description, config, context, metadata } = inputs;
  return {
    graph_id: graph,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description: description ?? "" }),
    ...(config !== undefined && { config: configToWire(config) }),
    ...(context !== undefined && { context }),
    ...(metadata !== undefined && { metadata }),
  };
}

function configToWire({ tags, recursionLimit, configurable }: Config): Record<string, unknown> {
  return {
    ...(tags !== undefined && { tags }),
    ...(recursionLimit !== undefined && { recursion_limit: recursionLimit }),
    ...(configurable !== undefined && { configurable }),
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

/** Everything that a record says of an assistant, in the user's words. */
export function fromWire(record: AssistantRecord): Omit<AssistantInputs, "deployment" | "connection"> {
  const config = configFromWire(record.config);
  const metadata = withoutTag(record.metadata);
  return {
    graph: record.graph_id,
    assistantId: record.assistant_id,
    ...(record.name && { name: record.name }),
    ...(record.description && { description: record.description }),
    ...(Object.keys(config).length > 0 && { config }),
    ...(isFilled(record.context) && !config.configurable && { context: record.context }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}
