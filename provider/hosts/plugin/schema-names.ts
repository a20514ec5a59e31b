import { z } from "zod";
import { unwrapped } from "../../resource/inputs/issues";
import { isGroup, type Props } from "../../resource/inputs/values";

/**
 * Returns the arguments of a function with the names in its schema. Pulumi's Python SDK converts names in the arguments
 * of resources, but not in the arguments of functions. The latter may therefore contain `name_contains` instead of
 * `nameContains`.
 */
export function withSchemaNames(schema: z.ZodType, value: unknown): unknown {
  const inside = unwrapped(schema);
  if (inside instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => withSchemaNames(inside.element as z.ZodType, item));
  if (!(inside instanceof z.ZodObject) || !isGroup(value)) return value;
  const fields = inside.shape as Record<string, z.ZodType>;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const name = nameIn(fields, key, value);
      return [name, Object.hasOwn(fields, name) ? withSchemaNames(fields[name]!, item) : item];
    }),
  );
}

/** Returns the schema's name for a Python name of a field; returns any other name unchanged. */
function nameIn(fields: object, key: string, values: Props): string {
  if (Object.hasOwn(fields, key)) return key;
  const name = key.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  return Object.hasOwn(fields, name) && !Object.hasOwn(values, name) ? name : key;
}
