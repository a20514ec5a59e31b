/**
 * Documented keys of a resource specification, as named in the API. Programs use them in camelCase. All other keys, and
 * everything within the values, are passed through unchanged.
 */
export const resourceSpecKeys: readonly string[] = [
  "min_scale",
  "max_scale",
  "cpu_limit",
  "memory_mb",
  "memory_limit_mb",
  ...["queue", "redis", "core", "db"].flatMap((part) => [
    `${part}_cpu`,
    `${part}_cpu_limit`,
    `${part}_memory_mb`,
    `${part}_memory_limit_mb`,
  ]),
  "queue_min_scale",
  "queue_max_scale",
  "db_storage_gi",
  "db_max_connections",
  "service_account_name",
  "image_pull_secrets",
  "volume_mounts",
  "init_containers",
];
