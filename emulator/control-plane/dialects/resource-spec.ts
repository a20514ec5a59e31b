import type { DialectTable, WireSourceConfig } from "../../../wire";

/**
 * Returns the source as the service stores it: with the defaults in its resource specification, and with CPU cores
 * rounded to one decimal place.
 */
export function completed(
  { checksResourceSpec, resourceSpecDefaults }: DialectTable,
  config: WireSourceConfig,
): WireSourceConfig {
  if (!checksResourceSpec || !config.resource_spec) return config;
  const rounded = Object.entries(config.resource_spec).map(([key, value]) => {
    const isCores = /(^|_)cpu(_limit)?$/.test(key) && typeof value === "number";
    return [key, isCores ? Math.round(value * 10) / 10 : value] as const;
  });
  return { ...config, resource_spec: { ...resourceSpecDefaults, ...Object.fromEntries(rounded) } };
}
