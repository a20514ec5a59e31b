import { z } from "zod";
import { listenerComputeConfig, type ListenerCreateRequest, type ListenerPatchRequest } from "../../../wire";
import { allOf, pageSize, pagesOf } from "../../http/pages";
import type { Transport } from "../../http/transport";
import { isId, unlessMissing } from "./unless-missing";

const listenerRow = z.object({
  id: z.string(),
  compute_id: z.string().nullish(),
  version: z.string().nullish(),
  compute_config: listenerComputeConfig.nullish(),
});
const listenerPage = z.object({ resources: z.array(listenerRow) });

/** A listener, which runs deployments in one of the workspace's clusters. */
export interface Listener {
  id: string;
  /** Name of the cluster, as reported by the listener. */
  computeId?: string;
  version?: string;
  /** Namespaces that the listener deploys to; empty if it specifies none. */
  namespaces: string[];
}

/** Client for the listener endpoints. */
export class ListenersClient {
  constructor(private readonly transport: Transport) {}

  /** True if the workspace has a listener with this ID, according to `GET /v2/listeners/{id}` or the list. */
  async has(id: string, signal?: AbortSignal): Promise<boolean> {
    if (!isId(id)) return this.isListed(id, signal);
    const path = `/v2/listeners/${id}`;
    const known = await this.transport
      .send({ method: "GET", path, signal })
      .then(() => true)
      .catch(unlessMissing(() => false));
    return known || this.isListed(id, signal);
  }

  /** `POST /v2/listeners`; fails with 409 if the cluster already has a listener. */
  create(body: ListenerCreateRequest): Promise<Listener> {
    return this.transport
      .send({
        method: "POST",
        path: "/v2/listeners",
        body,
        answer: listenerRow,
        undone: "the listener was not created",
      })
      .then(asListener);
  }

  /** `GET /v2/listeners/{listener_id}`; `undefined` if there is none. */
  async find(id: string, signal?: AbortSignal): Promise<Listener | undefined> {
    const found = await this.transport
      .send({ method: "GET", path: listenerPath(id), answer: listenerRow, signal })
      .catch(unlessMissing(() => undefined));
    return found && asListener(found);
  }

  /** `PATCH /v2/listeners/{listener_id}`. */
  update(id: string, body: ListenerPatchRequest): Promise<Listener> {
    return this.transport
      .send({
        method: "PATCH",
        path: listenerPath(id),
        body,
        answer: listenerRow,
        undone: `listener ${id} was not changed`,
      })
      .then(asListener);
  }

  /** `DELETE /v2/listeners/{listener_id}`. Also succeeds if the listener no longer exists. */
  async delete(id: string): Promise<void> {
    await this.transport
      .send({ method: "DELETE", path: listenerPath(id), undone: `listener ${id} was not deleted` })
      .catch(unlessMissing(() => undefined));
  }

  private async isListed(id: string, signal?: AbortSignal): Promise<boolean> {
    return (await this.list(signal)).some((listener) => listener.id === id);
  }

  /** Returns the workspace's listeners, from all pages of `GET /v2/listeners`. */
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
    return (await allOf(pages)).map(asListener);
  }
}

function listenerPath(id: string): string {
  return `/v2/listeners/${encodeURIComponent(id)}`;
}

function asListener({ id, compute_id, compute_config, version }: z.infer<typeof listenerRow>): Listener {
  return {
    id,
    ...(compute_id && { computeId: compute_id }),
    ...(version && { version }),
    namespaces: compute_config?.k8s_namespaces ?? [],
  };
}
