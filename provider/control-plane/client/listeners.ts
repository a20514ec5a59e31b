import { z } from "zod";
import { listenerRecord } from "../../../wire";
import { allOf, pageSize, pagesOf } from "../../http/pages";
import type { Transport } from "../../http/transport";
import { isId, unlessMissing } from "./unless-missing";

const listenerPage = z.object({
  resources: z.array(listenerRecord.pick({ id: true }).extend({ id: z.string() })),
});

/** The endpoints of listeners as functions. */
export class ListenersClient {
  constructor(private readonly transport: Transport) {}

  /** Whether the workspace has a listener of this id: neither `GET /v2/listeners/{id}` nor the list knows another. */
  async has(id: string, signal?: AbortSignal): Promise<boolean> {
    if (!isId(id)) return (await this.ids(signal)).includes(id);
    const path = `/v2/listeners/${id}`;
    const known = await this.transport
      .send({ method: "GET", path, signal })
      .then(() => true)
      .catch(unlessMissing(() => false));
    return known || (await this.ids(signal)).includes(id);
  }

  /** The ids of the workspace's listeners, over all pages of `GET /v2/listeners`. */
  async ids(signal?: AbortSignal): Promise<string[]> {
    const path = "/v2/listeners";
    const read = async (offset: number) => {
      const query = { limit: pageSize, offset };
      const { resources } = await this.transport.send({
        method: "GET",
        path,
        query,
        answer: listenerPage,
        signal,
      });
      return resources;
    };
    const pages = pagesOf(this.transport.texts, { name: `GET ${path}`, read, keyOf: ({ id }) => id });
    return (await allOf(pages)).map(({ id }) => id);
  }
}
