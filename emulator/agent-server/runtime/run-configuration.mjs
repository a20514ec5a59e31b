// What a request says about the configuration of its run besides the body, in place of the runtime's module of that
// kind, see replacements.mjs. The runtime's own gives every run the `User-Agent` and all `X-…` headers.
import { runAuthentication } from "./modules.mjs";

export const { applyAuthToRunConfig } = runAuthentication;

/** Headers that no run gets: they belong to the platform. */
const never = ["x-api-key", "x-tenant-id", "x-service-key"];

let isWanted = () => false;

/** Takes `http.configurable_headers` of the project: names, in which `*` stands for any characters. */
export function chooseHeaders({ includes, include = [], excludes, exclude = [] } = {}) {
  const included = (includes ?? include ?? []).map(patternOf);
  const excluded = [...(excludes ?? exclude ?? []), ...never].map(patternOf);
  const matches = (patterns, name) => patterns.some((pattern) => pattern.test(name));
  isWanted = (name) => matches(included, name) && !matches(excluded, name);
}

export function applyRequestHeadersToRunConfig(config, headers) {
  const wanted = [...(headers ?? [])].filter(([name]) => isWanted(name));
  if (wanted.length > 0) config.configurable = { ...config.configurable, ...Object.fromEntries(wanted) };
}

function patternOf(name) {
  const parts = name.toLowerCase().split("*");
  return new RegExp(`^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*")}$`);
}
