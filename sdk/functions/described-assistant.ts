import type { AssistantRecord } from "../../provider/agent-server/wire";
import type { GetAssistantResult } from "./assistant-result";

/** An assistant in the words of users. */
export function describeAssistant(record: AssistantRecord): GetAssistantResult {
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
