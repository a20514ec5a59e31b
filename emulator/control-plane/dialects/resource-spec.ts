import type { DialectTable, WireSourceConfig } from "../../../wire";

/** The source as the service keeps it: its specification with cores to one decimal, and defaults where it says nothing. */
export function completed({ checksResourceSpec }: DialectTable, config: WireSourceConfig): WireSourceConfig {
  if (!checksResourceSpec || !config.resource_spec) return config;
  const rounded = Object.entries(config.resource_spec).map(([key, value]) => {
    const isCores = /(^|_)cpu(_limit)?$/.test(key) && typeof value === "number";
    return [key, isCores ? Math.round(value * 10) / 10 : value] as const;
  });
  const defaults = { min_scale: 1, max_scale: 1, cpu: 1, memory_mb: 2048 };
  return { ...config, resource_spec: { ...defaults, ...Object.fromEntries(rounded) } };
}
