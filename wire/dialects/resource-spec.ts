import { z } from "zod";

const parts = ["", "queue_", "redis_", "core_", "db_"];
/** Key prefixes of the parts that have no minimum number of cores. */
const unboundedParts = ["db_"];
const scales = ["min_scale", "max_scale", "queue_min_scale", "queue_max_scale"];

/**
 * Number of cores, at least 0.1. There is no upper limit, because only the public service has one, and that service
 * does not accept `resource_spec`.
 */
const cores = z.number().min(0.1).nullish();
const megabytes = z.number().int().min(128).multipleOf(128).nullish();
const count = z.number().int().min(0).nullish();

const numbers: Record<string, typeof cores> = {
  ...Object.fromEntries(
    parts.flatMap((part) =>
      [`${part}cpu`, `${part}cpu_limit`].map((key) => [
        key,
        unboundedParts.includes(part) ? z.number().nullish() : cores,
      ]),
    ),
  ),
  ...Object.fromEntries(
    parts.flatMap((part) => [`${part}memory_mb`, `${part}memory_limit_mb`].map((key) => [key, megabytes])),
  ),
  ...Object.fromEntries([...scales, "db_storage_gi", "db_max_connections"].map((key) => [key, count])),
};

const stringMap = z.record(z.string(), z.string()).nullish();
const containers = z.array(z.looseObject({ name: z.string(), image: z.string() })).nullish();
const namedList = z.array(z.looseObject({ name: z.string().optional() })).nullish();

/** Kubernetes fields that the service validates. */
const kubernetes = {
  labels: stringMap,
  annotations: stringMap,
  service_account_name: z.string().nullish(),
  image_pull_secrets: z.array(z.looseObject({ name: z.string() })).nullish(),
  volumes: namedList,
  volume_mounts: namedList,
  init_containers: containers,
  sidecars: containers,
};

/** Schema that the service uses to validate `resource_spec`. Unknown fields are allowed. */
export const checkedResourceSpec = z
  .looseObject({ ...numbers, ...kubernetes })
  .superRefine((spec, context) => {
    const request = spec["redis_memory_mb"];
    const limit = spec["redis_memory_limit_mb"];
    if (typeof request === "number" && typeof limit === "number" && limit < request)
      context.addIssue({
        code: "custom",
        path: ["redis_memory_limit_mb"],
        message: "Value error, redis_memory_limit_mb must not be less than redis_memory_mb",
      });
  });
