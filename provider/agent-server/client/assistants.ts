import { z } from "zod";
import { allOf, pageSize, pagesOf } from "../../http/pages";
import type { Transport } from "../../http/transport";
import { assistantRecord, assistantRow, assistantSchemas, count } from "../wire";
import type { AssistantBody, AssistantRecord, AssistantSchemas } from "../wire";
import { sendRequest } from "./ask";
import { unlessMissing } from "./missing";
import { assistantPath } from "./paths";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Client for the assistant endpoints. */
export class AssistantsClient {
  constructor(private readonly transport: Transport) {}

  /** `POST /assistants/search`; true if the graph has an assistant. */
  async hasGraph(graph: string, signal?: AbortSignal): Promise<boolean> {
    const body = { graph_id: graph, limit: 1 };
    const found = await sendRequest(
      this.transport,
      "POST",
      "/assistants/search",
      z.array(assistantRow),
      body,
      signal,
    );
    return found.some(({ graph_id: id }) => id === graph);
  }

  /** True if a run can specify the assistant by this graph name or assistant ID. */
  async canRun(graphOrId: string, signal?: AbortSignal): Promise<boolean> {
    return uuid.test(graphOrId)
      ? (await this.find(graphOrId, signal)) !== undefined
      : this.hasGraph(graphOrId, signal);
  }

  /** Returns all pages of `POST /assistants/search`. */
  async search(filter: object, signal?: AbortSignal): Promise<AssistantRecord[]> {
    const path = "/assistants/search";
    const read = (offset: number) =>
      sendRequest(
        this.transport,
        "POST",
        path,
        z.array(assistantRecord),
        { ...filter, limit: pageSize, offset, sort_by: "created_at", sort_order: "asc" },
        signal,
      );
    return allOf(
      pagesOf(this.transport.texts, {
        name: `POST ${path}`,
        read,
        keyOf: ({ assistant_id }) => assistant_id,
      }),
    );
  }

  /** `POST /assistants/count`; if `metadata` is set, counts only assistants with this metadata. */
  count(signal?: AbortSignal, metadata?: Record<string, string>): Promise<number> {
    return sendRequest(
      this.transport,
      "POST",
      "/assistants/count",
      count,
      metadata ? { metadata } : {},
      signal,
    );
  }

  /** `POST /assistants`; fails with 409 if the ID is already in use. */
  create(id: string, body: AssistantBody): Promise<AssistantRecord> {
    return this.transport.send({
      method: "POST",
      path: "/assistants",
      body: { assistant_id: id, ...body, if_exists: "raise" },
      answer: assistantRecord,
      undone: `assistant ${id} was not created`,
    });
  }

  /** `GET /assistants/{assistant_id}`; `undefined` if there is none. */
  find(id: string, signal?: AbortSignal): Promise<AssistantRecord | undefined> {
    return this.transport
      .send({ method: "GET", path: assistantPath(id), answer: assistantRecord, signal })
      .catch(unlessMissing(undefined));
  }

  /** `PATCH /assistants/{assistant_id}`; each request creates a version. */
  update(id: string, body: Partial<AssistantBody>): Promise<AssistantRecord> {
    return this.transport.send({
      method: "PATCH",
      path: assistantPath(id),
      body,
      answer: assistantRecord,
      undone: `assistant ${id} was not changed`,
    });
  }

  /** `POST /assistants/{assistant_id}/latest`; activates an earlier version. */
  useVersion(id: string, version: number): Promise<AssistantRecord> {
    return this.transport.send({
      method: "POST",
      path: `${assistantPath(id)}/latest`,
      // The API description specifies a query parameter; the official clients send a body.
      query: { version },
      body: { version },
      answer: assistantRecord,
      undone: `version ${version} of assistant ${id} was not selected`,
    });
  }

  /** `DELETE /assistants/{assistant_id}`, with all versions. Also succeeds if the assistant no longer exists. */
  async delete(id: string): Promise<void> {
    await this.transport
      .send({ method: "DELETE", path: assistantPath(id), undone: `assistant ${id} was not deleted` })
      .catch(unlessMissing(undefined));
  }

  /**
   * `GET /assistants/{assistant_id}/schemas`; also accepts the name of a graph. `undefined` if the graph does not
   * exist.
   */
  schemas(id: string, signal?: AbortSignal): Promise<AssistantSchemas | undefined> {
    return this.transport
      .send({ method: "GET", path: `${assistantPath(id)}/schemas`, answer: assistantSchemas, signal })
      .catch(unlessMissing(undefined));
  }
}
