import { z } from "@hono/zod-openapi";
import type { DialectTable, WireSourceConfig } from "../../../provider/control-plane/wire";

const parts = ["", "queue_", "redis_", "core_", "db_"];
const scales = ["min_scale", "max_scale", "queue_min_scale", "queue_max_scale"];

/** A number of cores: at least a tenth. Upper bounds hold in the cloud only, which no specification reaches. */
const cores = z.number().min(0.1).nullish();
const megabytes = z.number().int().min(128).multipleOf(128).nullish();
const count = z.number().int().min(0).nullish();

const numbers: Record<string, typeof cores | typeof count> = {
  ...Object.fromEntries(
    parts.flatMap((part) => [`${part}cpu`, `${part}cpu_limit`].map((key) => [key, cores])),
  ),
  ...Object.fromEntries(
    parts.flatMap((part) => [`${part}memory_mb`, `${part}memory_limit_mb`].map((key) => [key, megabytes])),
  ),
  ...Object.fromEntries([...scales, "db_storage_gi", "db_max_connections"].map((key) => [key, count])),
};

/** `resource_spec` with its numbers checked; everything else in it is Kubernetes' own business. */
export const resourceSpec = z.looseObject(numbers).superRefine((spec, context) => {
  const request = spec["redis_memory_mb"];
  const limit = spec["redis_memory_limit_mb"];
  if (typeof request === "number" && typeof limit === "number" && limit < request)
    context.addIssue({
      code: "custom",
      path: ["redis_memory_limit_mb"],
      message: "Value error, redis_memory_limit_mb must not be less than redis_memory_mb",
    });
}) as unknown as z.ZodRecord<z.ZodString, z.ZodUnknown>;

/** The source as the service keeps it: its specification with cores to one decimal, and defaults where it says nothing. */
export function completed({ checksResourceSpec }: DialectTable, config: WireSourceConfig): WireSourceConfig {
  if (!checksResourceSpec || !config.resource_spec) return config;
  const rounded = Object.entries(config.resource_spec).map(([key, value]) => [
    key,
    /(^|_)cpu(_limit)?$/.test(key) && typeof value === "number" ? Math.round(value * 10) / 10 : value,
  ]);
  const defaults = { min_scale: 1, max_scale: 1, cpu: 1, memory_mb: 2048 };
  return { ...config, resource_spec: { ...defaults, ...Object.fromEntries(rounded) } };
}
