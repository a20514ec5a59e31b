import type { z } from "@hono/zod-openapi";
import { isJsonObject } from "../../../wire";
import type { RequestContext } from "../request/request-context";
import { type Api, operation } from "../request/operation";
import { proxyResponse } from "../request/proxy-response";
import { Refusal } from "../request/refusal";
import { withoutNulls } from "../schemas";
import {
  FoundItems,
  Item,
  isStorable,
  ItemQuery,
  NamespaceList,
  Namespaces,
  StoreDelete,
  StorePut,
  StoreSearch,
  unstorable,
} from "./schemas";
import { isDeepStrictEqual } from "node:util";

const group = "Store";
type Item = z.output<typeof Item>;
/** Limit that exceeds the number of items in any in-memory store. All items must be read before they can be sorted. */
const all = 1_000_000;

/**
 * Adds the routes for long-term memory. The runtime stores the items, so that graphs can access them. The gateway
 * stores only their expiry times.
 */
export function storeRoutes(api: Api): void {
  operation(
    api,
    {
      method: "put",
      path: "/store/items",
      group,
      summary: "Store or update an item",
      body: StorePut,
      status: 204,
      refusals: [400, 422],
    },
    async ({ c, context, body: { namespace, key, value, index, ttl } }) => {
      if (namespace[0] === "langgraph")
        throw new Refusal(
          400,
          'namespace: The first label cannot be "langgraph", which is reserved for the server',
        );
      const ttls = context.timers().itemTtls;
      await ttls.writing(namespace, key, async () => {
        // The JavaScript runtime does not support an index.
        const indexed = context.internalApi.documented && index != null ? { index } : {};
        (await context.client.send("PUT", "/store/items", { namespace, key, value, ...indexed })).resume();
        ttls.set(namespace, key, ttl ?? undefined);
      });
      return c.body(null, 204);
    },
  );
  operation(
    api,
    {
      method: "get",
      path: "/store/items",
      group,
      summary: "Retrieve a single item",
      query: ItemQuery,
      answer: Item.nullable(),
      refusals: [400, 422],
    },
    async ({ c, context, query: { key, namespace, refresh_ttl: refresh } }) => {
      const labels = namespace?.flatMap((label) => label.split(".")) ?? [];
      if (labels.length === 0 || labels.includes(""))
        throw new Refusal(400, "namespace: Required; labels cannot be empty");
      if (!labels.every(isStorable)) throw new Refusal(422, `namespace: ${unstorable}`);
      const ttls = context.timers().itemTtls;
      await ttls.sweep(context.client);
      const query = new URLSearchParams({ namespace: labels.join("."), key });
      const item = await context.client.json<Item | null>("GET", `/store/items?${query.toString()}`);
      if (item && refresh !== false) ttls.refresh(labels, key);
      return c.json(item);
    },
  );
  operation(
    api,
    {
      method: "delete",
      path: "/store/items",
      group,
      summary: "Delete an item",
      body: StoreDelete,
      status: 204,
      refusals: [422],
    },
    async ({ c, context, body: { namespace = [], key } }) => {
      // No item is stored without a namespace.
      if (namespace.length === 0) return c.body(null, 204);
      const ttls = context.timers().itemTtls;
      await ttls.writing(namespace, key, async () => {
        (await context.client.send("DELETE", "/store/items", { namespace, key })).resume();
        ttls.set(namespace, key, undefined);
      });
      return c.body(null, 204);
    },
  );
  operation(
    api,
    {
      method: "post",
      path: "/store/items/search",
      group,
      summary: "Search or list items",
      body: StoreSearch,
      answer: FoundItems,
      refusals: [400, 422],
    },
    async ({ c, context, body }) => {
      const found = await search(context, body);
      if (body.refresh_ttl !== false)
        for (const { namespace, key } of found) context.timers().itemTtls.refresh(namespace, key);
      return c.json({ items: found });
    },
  );
  operation(
    api,
    {
      method: "post",
      path: "/store/namespaces",
      group,
      summary: "List namespaces",
      body: NamespaceList,
      answer: Namespaces,
      refusals: [422],
    },
    async ({ context, body }) => {
      await context.timers().itemTtls.sweep(context.client);
      return proxyResponse(await context.client.send("POST", "/store/namespaces", body), context);
    },
  );
}

/**
 * Searches items as documented. Returns the most recently updated items first, or the best matches of a query first if
 * the runtime supports semantic search.
 */
async function search(context: RequestContext, body: z.output<typeof StoreSearch>): Promise<Item[]> {
  const { limit, offset, filter, refresh_ttl: _, ...rest } = body;
  requireOperators(filter);
  await context.timers().itemTtls.sweep(context.client);
  const found = await context.client.json<{ items: Item[] }>("POST", "/store/items/search", {
    namespace_prefix: [],
    ...withoutNulls(rest),
    limit: all,
    offset: 0,
  });
  // The runtimes compare objects, lists, and null differently.
  const items = filter ? found.items.filter(({ value }) => matches(value, filter)) : found.items;
  const isRanked = context.internalApi.documented && typeof rest["query"] === "string";
  if (!isRanked)
    items.sort((a, b) => (a.updated_at < b.updated_at ? 1 : a.updated_at > b.updated_at ? -1 : 0));
  return items.slice(offset, offset + limit);
}

type Values = Record<string, unknown>;

const operators: Record<string, (value: unknown, wanted: unknown) => boolean> = {
  $eq: isDeepStrictEqual,
  $ne: (value, wanted) => !isDeepStrictEqual(value, wanted),
  $gt: (value, wanted) => numberOf(value) > numberOf(wanted),
  $gte: (value, wanted) => numberOf(value) >= numberOf(wanted),
  $lt: (value, wanted) => numberOf(value) < numberOf(wanted),
  $lte: (value, wanted) => numberOf(value) <= numberOf(wanted),
};

/** @throws Refusal 400 if the filter contains an unknown operator */
function requireOperators(filter: unknown): void {
  if (Array.isArray(filter)) return filter.forEach(requireOperators);
  if (!isJsonObject(filter)) return;
  const unknown = isOperation(filter) ? Object.keys(filter).find((name) => !isOperator(name)) : undefined;
  if (unknown !== undefined)
    throw new Refusal(
      400,
      `filter: Unsupported operator: ${unknown}. The operators are ${Object.keys(operators).join(", ")}.`,
    );
  if (!isOperation(filter)) Object.values(filter).forEach(requireOperators);
}

/** True if the value matches the filter. As on the public server, a missing value is considered equal to null. */
function matches(value: unknown, filter: unknown): boolean {
  if (Array.isArray(filter))
    return (
      Array.isArray(value) &&
      value.length === filter.length &&
      filter.every((part, place) => matches(value[place], part))
    );
  if (!isJsonObject(filter)) return (value ?? null) === filter;
  const entries = Object.entries(filter);
  if (isOperation(filter)) return entries.every(([name, wanted]) => operators[name]!(value ?? null, wanted));
  return isJsonObject(value) && entries.every(([name, part]) => matches(ownValue(value, name), part));
}

const isOperator = (name: string) => Object.hasOwn(operators, name);
const isOperation = (filter: Values) => Object.keys(filter).some((name) => name.startsWith("$"));
const ownValue = (value: Values, name: string) => (Object.hasOwn(value, name) ? value[name] : undefined);

/**
 * Converts a number, or a string that contains a number, to a number. Returns NaN for any other value, so that every
 * comparison is false.
 */
function numberOf(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
}
