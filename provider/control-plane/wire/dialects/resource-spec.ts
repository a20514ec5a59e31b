import { z } from "zod";

const parts = ["", "queue_", "redis_", "core_", "db_"];
const scales = ["min_scale", "max_scale", "queue_min_scale", "queue_max_scale"];

/** A number of cores: at least a tenth. Upper bounds hold in the cloud only, which no specification reaches. */
const cores = z.number().min(0.1).nullish();
const megabytes = z.number().int().min(128).multipleOf(128).nullish();
const count = z.number().int().min(0).nullish();

const numbers: Record<string, typeof cores> = {
  ...Object.fromEntries(
    parts.flatMap((part) => [`${part}cpu`, `${part}cpu_limit`].map((key) => [key, cores])),
  ),
  ...Object.fromEntries(
    parts.flatMap((part) => [`${part}memory_mb`, `${part}memory_limit_mb`].map((key) => [key, megabytes])),
  ),
  ...Object.fromEntries([...scales, "db_storage_gi", "db_max_connections"].map((key) => [key, count])),
};

/** `resource_spec` with its numbers checked; everything else in it is Kubernetes' own business. */
export const checkedResourceSpec = z.looseObject(numbers).superRefine((spec, context) => {
  const request = spec["redis_memory_mb"];
  const limit = spec["redis_memory_limit_mb"];
  if (typeof request === "number" && typeof limit === "number" && limit < request)
    context.addIssue({
      code: "custom",
      path: ["redis_memory_limit_mb"],
      message: "Value error, redis_memory_limit_mb must not be less than redis_memory_mb",
    });
});
