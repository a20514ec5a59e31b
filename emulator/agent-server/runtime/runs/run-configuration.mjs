// Parts of a request, other than its body, that configure its run. Replaces a module of the runtime that passes the
// `User-Agent` and all `X-…` headers to every run (see replacements.mjs).
import { runAuthentication } from "../modules.mjs";

export const { applyAuthToRunConfig } = runAuthentication;

/** Headers that are never passed to a run, because they belong to the platform. */
const never = ["x-api-key", "x-tenant-id", "x-service-key"];

/** Cron and due time that a run was created for, keyed by the configuration of the run. */
const deliveries = new WeakMap();
const deliveryHeader = "x-cron-delivery";

/**
 * Returns the cron and the due time that a run with this configuration is created for, or `undefined` if a caller
 * created the run.
 */
export const cronDelivery = (config) => deliveries.get(config);

let isWanted = () => false;

/** Applies the project's `http.configurable_headers`, a list of names in which `*` matches any characters. */
export function chooseHeaders({ includes, include = [], excludes, exclude = [] } = {}) {
  const included = (includes ?? include ?? []).map(patternOf);
  const excluded = [...(excludes ?? exclude ?? []), ...never].map(patternOf);
  const matches = (patterns, name) => patterns.some((pattern) => pattern.test(name));
  isWanted = (name) => matches(included, name) && !matches(excluded, name);
}

export function applyRequestHeadersToRunConfig(config, headers) {
  const wanted = [...(headers ?? [])].filter(([name]) => name !== deliveryHeader && isWanted(name));
  if (wanted.length > 0) config.configurable = { ...config.configurable, ...Object.fromEntries(wanted) };
  const delivery = headers?.get(deliveryHeader);
  if (delivery == null) return;
  const [cronId, dueAt] = delivery.split(" ");
  deliveries.set(config, { cronId, dueAt: Number(dueAt) });
  config.configurable = { ...config.configurable, cron_id: cronId };
}

function patternOf(name) {
  const parts = name.toLowerCase().split("*");
  return new RegExp(`^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*")}$`);
}
