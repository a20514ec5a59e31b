import { named } from "./naming";

/**
 * Returns the paths of the fields that parsing dropped as unknown.
 *
 * @param hide - Redacts secrets in a path.
 * @returns the first paths, and the number of the others.
 */
export function unknownFields(sent: unknown, understood: unknown, hide: (text: string) => string): string[] {
  return named(dropped(sent, understood, ""), hide);
}

function* dropped(sent: unknown, understood: unknown, path: string): Generator<string> {
  if (Array.isArray(sent) && Array.isArray(understood))
    for (const [index, item] of sent.entries()) yield* dropped(item, understood[index], `${path}[${index}]`);
  else if (isObject(sent) && isObject(understood))
    for (const [key, value] of Object.entries(sent)) {
      const place = path ? `${path}.${key}` : key;
      if (key in understood) yield* dropped(value, understood[key], place);
      else yield place;
    }
}

function isObject(part: unknown): part is Record<string, unknown> {
  return typeof part === "object" && part !== null && !Array.isArray(part);
}
