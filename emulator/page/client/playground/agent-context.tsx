import type { Assistant, AssistantGraph, Client, GraphSchema } from "@langchain/langgraph-sdk";
import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { errorText } from "../data/error-text";

export type AssistantList = Assistant[];

/** Agent that the playground shows, and the selected assistant. */
interface AgentContext {
  client: Client;
  /** URL that programs use to access the agent. */
  url: string;
  deploymentId: string;
  deploymentName: string;
  assistants: AssistantList;
  assistant: Assistant;
  choose: (assistantId: string) => void;
  /** Reads the list of assistants again. */
  reload: () => void;
  /** Time of the control plane in milliseconds since the epoch. */
  now: number;
}

export const AssistantContext = createContext<AgentContext | undefined>(undefined);

export function useAgent(): AgentContext {
  const agent = useContext(AssistantContext);
  if (!agent) throw new Error("a view is outside the playground");
  return agent;
}

/** Result of a request: the value, or the reason why there is none. Neither is set while the request is in progress. */
export interface Loaded<Value> {
  value?: Value;
  problem?: string;
}

/** Sends a request when the component appears, and again when a dependency changes. */
export function useLoaded<Value>(load: () => Promise<Value>, dependencies: unknown[]): Loaded<Value> {
  const [loaded, setLoaded] = useState<Loaded<Value>>({});
  useEffect(() => {
    let isCurrent = true;
    const set = (result: Loaded<Value>) => {
      if (isCurrent) setLoaded(result);
    };
    set({});
    load().then(
      (value) => set({ value }),
      (error: unknown) => set({ problem: errorText(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, dependencies);
  return loaded;
}

/** Returns the schemas of the selected assistant. The first request after a rollout can take seconds. */
export function useSchemas(): Loaded<GraphSchema> {
  const { client, assistant } = useAgent();
  const { assistant_id: id } = assistant;
  return useLoaded(() => client.assistants.getSchemas(id), [client, id]);
}

/** Returns the graph of the selected assistant. */
export function useGraph(): Loaded<AssistantGraph> {
  const { client, assistant } = useAgent();
  const { assistant_id: id } = assistant;
  return useLoaded(() => client.assistants.getGraph(id), [client, id]);
}

/** Displays the field that selects the assistant. */
export function AssistantChoice() {
  const { assistants, assistant, choose } = useAgent();
  return (
    <label class="inline-field">
      Assistant
      <select value={assistant.assistant_id} onChange={(event) => choose(event.currentTarget.value)}>
        {assistants.map(({ assistant_id: id, name, graph_id: graph }) => (
          <option key={id} value={id}>
            {!name || name === graph ? graph : `${name} (${graph})`}
          </option>
        ))}
      </select>
    </label>
  );
}
