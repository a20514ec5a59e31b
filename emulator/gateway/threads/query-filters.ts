/** Returns the value at a path such as `values.messages[-1].content`, or null if there is none. */
export function extracted(thread: Record<string, unknown>, path: string): unknown {
  const steps = [...path.matchAll(/([^.[\]]+)|\[(-?\d+)\]/g)];
  let found: unknown = thread;
  for (const [, name, index] of steps) {
    if (Array.isArray(found) && index !== undefined) found = found.at(Number(index));
    else if (typeof found === "object" && found !== null && name !== undefined)
      found = (found as Record<string, unknown>)[name];
    else return null;
  }
  return found ?? null;
}
