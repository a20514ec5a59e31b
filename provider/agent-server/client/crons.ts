import { z } from "zod";
import { allOf, pageSize, pagesOf } from "../../http/pages";
import type { Transport } from "../../http/transport";
import { count, cronRecord, type CronBody, type CronRecord } from "../wire";
import { sendRequest } from "./ask";
import { unlessMissing } from "./missing";
import { threadPath } from "./paths";

/** Client for the cron endpoints. */
export class CronsClient {
  constructor(private readonly transport: Transport) {}

  /** `POST /runs/crons/count`. */
  count(signal?: AbortSignal): Promise<number> {
    return sendRequest(this.transport, "POST", "/runs/crons/count", count, {}, signal);
  }

  /**
   * `POST /runs/crons`, or `POST /threads/{thread_id}/runs/crons`. Not idempotent: a second request creates a
   * duplicate.
   */
  create(body: CronBody, thread?: string): Promise<CronRecord> {
    const path = thread === undefined ? "/runs/crons" : `${threadPath(thread)}/runs/crons`;
    return this.transport.send({
      method: "POST",
      path,
      body,
      answer: cronRecord,
      undone: "the cron was not created",
    });
  }

  /**
   * `GET /runs/crons/{cron_id}`, or a search if the server does not support that; `undefined` if the cron does not
   * exist.
   */
  async find(id: string, signal?: AbortSignal): Promise<CronRecord | undefined> {
    const path = cronPath(id);
    const found = await this.transport
      .send({ method: "GET", path, answer: cronRecord, signal })
      .catch(unlessMissing(undefined));
    return found ?? (await this.search({}, signal)).find(({ cron_id }) => cron_id === id);
  }

  /** Returns all pages of `POST /runs/crons/search`. */
  async search(filter: object, signal?: AbortSignal): Promise<CronRecord[]> {
    const path = "/runs/crons/search";
    const read = (offset: number) =>
      sendRequest(
        this.transport,
        "POST",
        path,
        z.array(cronRecord),
        { ...filter, limit: pageSize, offset, sort_by: "created_at", sort_order: "asc" },
        signal,
      );
    return allOf(
      pagesOf(this.transport.texts, { name: `POST ${path}`, read, keyOf: ({ cron_id }) => cron_id }),
    );
  }

  /** `PATCH /runs/crons/{cron_id}`. */
  update(id: string, body: Partial<CronBody>): Promise<CronRecord> {
    return this.transport.send({
      method: "PATCH",
      path: cronPath(id),
      body,
      answer: cronRecord,
      undone: `cron ${id} was not changed`,
    });
  }

  /** `DELETE /runs/crons/{cron_id}`. Also succeeds if the cron no longer exists. */
  async delete(id: string): Promise<void> {
    await this.transport
      .send({ method: "DELETE", path: cronPath(id), undone: `cron ${id} was not deleted` })
      .catch(unlessMissing(undefined));
  }
}

function cronPath(id: string): string {
  return `/runs/crons/${encodeURIComponent(id)}`;
}
