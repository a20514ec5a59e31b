import { z } from "zod";
import { unwrapped } from "../../resource/inputs/issues";
import { isGroup, type Props } from "../../resource/inputs/values";

/**
 * Returns the arguments of a function with the names in its schema. Pulumi's Python SDK converts the names in
 * dictionaries for resources, but not for functions, so `name_contains` stands for `nameContains`.
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

/** Returns the name of a field, or the given name if it is not the Python name of a field. */
function nameIn(fields: object, key: string, values: Props): string {
  if (Object.hasOwn(fields, key)) return key;
  const name = key.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  return Object.hasOwn(fields, name) && !Object.hasOwn(values, name) ? name : key;
}
