import type { AssistantRecord } from "../../provider/agent-server/wire";

/** Assistant in the version that is in use. */
export interface GetAssistantResult {
  assistantId: string;
  /** Graph that the assistant runs. */
  graph: string;
  name?: string;
  description?: string;
  /** Configuration of runs, in the server's format: `tags`, `recursion_limit` and `configurable`. */
  config?: Record<string, unknown>;
  context?: Record<string, unknown>;
  /** Metadata, including the ownership tag if a Pulumi resource owns the assistant. */
  metadata?: Record<string, unknown>;
  version?: number;
}

export function toAssistantResult(record: AssistantRecord): GetAssistantResult {
  return {
    assistantId: record.assistant_id,
    graph: record.graph_id,
    name: record.name ?? undefined,
    description: record.description ?? undefined,
    config: record.config ?? undefined,
    context: record.context ?? undefined,
    metadata: record.metadata ?? undefined,
    version: record.version ?? undefined,
  };
}
