/** Returns the limits of a container in `resource_spec` as options of the engine's `run`. */
export function limitOptions(spec: Record<string, unknown> | null | undefined): string[] {
  const cpus = numberOf(spec?.["cpu_limit"]) ?? numberOf(spec?.["cpu"]);
  const memory = numberOf(spec?.["memory_limit_mb"]) ?? numberOf(spec?.["memory_mb"]);
  return [
    ...(cpus === undefined ? [] : ["--cpus", String(cpus)]),
    // Without a limit of its own, swap doubles the container's memory.
    ...(memory === undefined ? [] : ["--memory", `${memory}m`, "--memory-swap", `${memory}m`]),
  ];
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : undefined;
}
