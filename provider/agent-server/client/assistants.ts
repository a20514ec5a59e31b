import { z } from "zod";
import type { Transport } from "../../http/transport";
import { assistantRecord, count } from "../wire";
import { ask } from "./ask";

/** The endpoints of assistants as functions. */
export class AssistantsClient {
  constructor(private readonly transport: Transport) {}

  /** `POST /assistants/search`: whether the graph has an assistant. */
  async hasGraph(graph: string): Promise<boolean> {
    const body = { graph_id: graph, limit: 1 };
    const found = await ask(this.transport, "POST", "/assistants/search", z.array(assistantRecord), body);
    return found.some(({ graph_id: id }) => id === graph);
  }

  /** `POST /assistants/count`; with `metadata`, only assistants that have it. */
  count(signal?: AbortSignal, metadata?: Record<string, string>): Promise<number> {
    return ask(this.transport, "POST", "/assistants/count", count, metadata ? { metadata } : {}, signal);
  }
}
