import { z } from "zod";
import { allOf, pageSize, pagesOf } from "../../http/pages";
import type { Transport } from "../../http/transport";
import {
  count,
  foundThread,
  storedThread,
  threadRecord,
  threadState,
  type FoundThread,
  type StoredThread,
  type ThreadBody,
  type ThreadState,
} from "../wire";
import { sendRequest } from "./ask";
import { unlessMissing } from "./missing";
import { threadPath } from "./paths";

const keyOfThread = ({ thread_id: id }: { thread_id: string }) => id;

/** Client for the thread endpoints. */
export class ThreadsClient {
  constructor(private readonly transport: Transport) {}

  /** `POST /threads/count`; if `busy` is true, counts only threads with a run in progress. */
  count(busy: boolean, signal?: AbortSignal): Promise<number> {
    return sendRequest(
      this.transport,
      "POST",
      "/threads/count",
      count,
      busy ? { status: "busy" } : {},
      signal,
    );
  }

  /** `POST /threads`; returns the ID of the new thread. */
  async create(): Promise<string> {
    return (await sendRequest(this.transport, "POST", "/threads", threadRecord, {})).thread_id;
  }

  /** `POST /threads` with an ID; fails with 409 if the ID is already in use. */
  createAs(id: string, body: ThreadBody): Promise<StoredThread> {
    return this.transport.send({
      method: "POST",
      path: "/threads",
      body: { thread_id: id, ...body, if_exists: "raise" },
      answer: storedThread,
      undone: `thread ${id} was not created`,
    });
  }

  /** `GET /threads/{thread_id}`; `undefined` if there is none. */
  find(id: string, signal?: AbortSignal): Promise<StoredThread | undefined> {
    return this.transport
      .send({ method: "GET", path: threadPath(id), answer: storedThread, signal })
      .catch(unlessMissing(undefined));
  }

  /** Returns the threads with this metadata, from all pages of `POST /threads/search`. */
  search(metadata: Record<string, unknown>, signal?: AbortSignal): Promise<StoredThread[]> {
    const path = "/threads/search";
    const read = (offset: number) => {
      const body = { metadata, limit: pageSize, offset, sort_by: "created_at", sort_order: "asc" };
      return sendRequest(this.transport, "POST", path, z.array(storedThread), body, signal);
    };
    return allOf(pagesOf(this.transport.texts, { name: `POST ${path}`, read, keyOf: keyOfThread }));
  }

  /** `POST /threads/search`; returns up to this many threads, newest first, without their states. */
  async list(filter: object, limit: number, signal?: AbortSignal): Promise<FoundThread[]> {
    const path = "/threads/search";
    const read = (offset: number) =>
      sendRequest(
        this.transport,
        "POST",
        path,
        z.array(foundThread),
        {
          ...filter,
          limit: Math.min(pageSize, limit - offset),
          offset,
          sort_by: "created_at",
          sort_order: "desc",
          select: ["thread_id", "created_at", "updated_at", "metadata", "status"],
        },
        signal,
      );
    const pages = pagesOf(this.transport.texts, { name: `POST ${path}`, read, keyOf: keyOfThread });
    const found: FoundThread[] = [];
    for await (const page of pages) {
      found.push(...page);
      if (found.length >= limit) break;
    }
    return found.slice(0, limit);
  }

  /** `PATCH /threads/{thread_id}`. */
  update(id: string, body: ThreadBody): Promise<StoredThread> {
    return this.transport.send({
      method: "PATCH",
      path: threadPath(id),
      body,
      answer: storedThread,
      undone: `thread ${id} was not changed`,
    });
  }

  /** `GET /threads/{thread_id}/state`. */
  getState(thread: string): Promise<ThreadState> {
    return sendRequest(this.transport, "GET", `${threadPath(thread)}/state`, threadState);
  }

  /** `POST /threads/{thread_id}/state`; writes values as if a node had returned them. */
  async updateState(thread: string, values: unknown, asNode: string | undefined): Promise<void> {
    const body = { values, ...(asNode !== undefined && { as_node: asNode }) };
    const undone = `the state of thread ${thread} was not changed`;
    await this.transport.send({ method: "POST", path: `${threadPath(thread)}/state`, body, undone });
  }

  /** `GET /threads/{thread_id}/runs`; true if the thread exists and has any runs. */
  async hasRuns(thread: string, signal?: AbortSignal): Promise<boolean> {
    const path = `${threadPath(thread)}/runs`;
    const query = { limit: 1 };
    const runs = await this.transport
      .send({ method: "GET", path, query, answer: z.array(z.unknown()), signal })
      .catch(unlessMissing([]));
    return runs.length > 0;
  }

  /**
   * `DELETE /threads/{thread_id}`, with its runs.
   * @param signal replaces the client's own signal; `null` if the request must not be canceled
   */
  async delete(thread: string, signal?: AbortSignal | null): Promise<void> {
    await sendRequest(this.transport, "DELETE", threadPath(thread), undefined, undefined, signal);
  }
}
