import { z } from "zod";
import { listenerComputeConfig } from "../../../wire";
import { allOf, pageSize, pagesOf } from "../../http/pages";
import type { Transport } from "../../http/transport";
import { isId, unlessMissing } from "./unless-missing";

const listenerRow = z.object({
  id: z.string(),
  compute_id: z.string().nullish(),
  compute_config: listenerComputeConfig.nullish(),
});
const listenerPage = z.object({ resources: z.array(listenerRow) });

/** What runs deployments in a cluster of the workspace's own. */
export interface Listener {
  id: string;
  /** The cluster, under the name that the listener gave it. */
  computeId?: string;
  /** Namespaces that it deploys to; empty where it names none. */
  namespaces: string[];
}

/** The endpoints of listeners as functions. */
export class ListenersClient {
  constructor(private readonly transport: Transport) {}

  /** Whether the workspace has a listener of this id: neither `GET /v2/listeners/{id}` nor the list knows another. */
  async has(id: string, signal?: AbortSignal): Promise<boolean> {
    if (!isId(id)) return this.isListed(id, signal);
    const path = `/v2/listeners/${id}`;
    const known = await this.transport
      .send({ method: "GET", path, signal })
      .then(() => true)
      .catch(unlessMissing(() => false));
    return known || this.isListed(id, signal);
  }

  private async isListed(id: string, signal?: AbortSignal): Promise<boolean> {
    return (await this.list(signal)).some((listener) => listener.id === id);
  }

  /** The workspace's listeners, over all pages of `GET /v2/listeners`. */
  async list(signal?: AbortSignal): Promise<Listener[]> {
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
    return (await allOf(pages)).map(({ id, compute_id: computeId, compute_config: config }) => ({
      id,
      ...(computeId && { computeId }),
      namespaces: config?.k8s_namespaces ?? [],
    }));
  }
}
