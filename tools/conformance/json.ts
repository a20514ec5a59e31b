/** Returns the value at a path such as `source_config.repo_url`; undefined if there is none. */
export function valueAt(body: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (part, key) =>
        typeof part === "object" && part !== null ? (part as Record<string, unknown>)[key] : undefined,
      body,
    );
}

/** Returns the string at a path; undefined if there is none. */
export function textAt(body: unknown, path: string): string | undefined {
  const value = valueAt(body, path);
  return typeof value === "string" ? value : undefined;
}

/** Returns the rows of a list, which is an array or an object with `resources`. */
export function rowsOf(body: unknown): unknown[] {
  const rows = Array.isArray(body) ? body : valueAt(body, "resources");
  return Array.isArray(rows) ? (rows as unknown[]) : [];
}
