import { z } from "zod";
import { pageSize, pagesOf } from "../../http/pages";
import type { Transport } from "../../http/transport";
import { recordLabel, type StoreItemBody, type StoreItemRecord, storeItemRecord } from "../wire";
import { sendRequest } from "./ask";
import { unlessMissing } from "./missing";

const found = z.object({ items: z.array(z.unknown()) });
const foundItems = z.object({ items: z.array(storeItemRecord) });

const namespaceList = z.array(z.array(z.string()));
/** Response of `POST /store/namespaces`. The API description specifies a list, but servers return an object. */
const foundNamespaces = z.union([
  z.object({ namespaces: namespaceList }).transform(({ namespaces }) => namespaces),
  namespaceList,
]);

function isRecord(item: unknown): boolean {
  const namespace = (item as { namespace?: unknown } | null)?.namespace;
  return Array.isArray(namespace) && namespace[0] === recordLabel;
}

const keyOfItem = ({ namespace, key }: StoreItemRecord) => JSON.stringify([namespace, key]);

/** Client for the store endpoints. */
export class StoreClient {
  constructor(private readonly transport: Transport) {}

  /**
   * Counts the items with `POST /store/items/search`, up to a limit. Excludes the records that this provider keeps in
   * the store about items that its resources have written.
   */
  async count(limit: number, signal?: AbortSignal): Promise<number> {
    const body = { namespace_prefix: [], limit };
    const { items } = await sendRequest(this.transport, "POST", "/store/items/search", found, body, signal);
    return items.length >= limit ? limit : items.filter((item) => !isRecord(item)).length;
  }

  /** `PUT /store/items`; creates the item or replaces the existing one. */
  async put(item: StoreItemBody): Promise<void> {
    await this.transport.send({ method: "PUT", path: "/store/items", body: item });
  }

  /** `GET /store/items`; `undefined` if there is none. Does not extend the time to live of the item. */
  async find(
    namespace: readonly string[],
    key: string,
    signal?: AbortSignal,
  ): Promise<StoreItemRecord | undefined> {
    const query = { key, namespace: namespace.join("."), refresh_ttl: "false" };
    const answer = storeItemRecord.nullable();
    const item = await this.transport
      .send({ method: "GET", path: "/store/items", query, answer, signal })
      .catch(unlessMissing(null));
    return item ?? undefined;
  }

  /** Returns the items in exactly this namespace, from all pages of `POST /store/items/search`. */
  async list(namespace: readonly string[], signal?: AbortSignal): Promise<StoreItemRecord[]> {
    const all = await this.listByPrefix(namespace, Infinity, signal);
    return all.filter((item) => item.namespace.length === namespace.length);
  }

  /**
   * Returns the items in namespaces that start with this prefix, from as many pages of `POST /store/items/search` as
   * needed.
   */
  async listByPrefix(
    prefix: readonly string[],
    most: number,
    signal?: AbortSignal,
  ): Promise<StoreItemRecord[]> {
    const path = "/store/items/search";
    const read = async (offset: number) => {
      const body = { namespace_prefix: prefix, limit: pageSize, offset, refresh_ttl: false };
      return (await sendRequest(this.transport, "POST", path, foundItems, body, signal)).items;
    };
    const all: StoreItemRecord[] = [];
    for await (const page of pagesOf(this.transport.texts, {
      name: `POST ${path}`,
      read,
      keyOf: keyOfItem,
    })) {
      all.push(...page);
      if (all.length >= most) break;
    }
    return all;
  }

  /** `POST /store/namespaces`; returns the distinct first labels of the namespaces. */
  async rootLabels(limit: number, signal?: AbortSignal): Promise<string[]> {
    const body = { max_depth: 1, limit };
    const namespaces = await sendRequest(
      this.transport,
      "POST",
      "/store/namespaces",
      foundNamespaces,
      body,
      signal,
    );
    return namespaces.flatMap(([first]) => (first === undefined || first === recordLabel ? [] : [first]));
  }

  /** `DELETE /store/items`. Also succeeds if the item no longer exists. */
  async delete(namespace: readonly string[], key: string): Promise<void> {
    await this.transport
      .send({ method: "DELETE", path: "/store/items", body: { namespace, key } })
      .catch(unlessMissing(undefined));
  }
}
