import type { Facts, Field } from "../../../tools/published-facts/facts";
import { resolved } from "./differences";

/** Returns the fields of a schema. */
export function fieldsOf({ schemas }: Facts, schema: string): Record<string, Field> {
  return resolved({ shape: { schema }, schemas }).fields ?? {};
}

/** Returns the fields of an object that is the value of a field. */
export function fieldsAt(facts: Facts, schema: string, field: string): Record<string, Field> {
  const shape = fieldsOf(facts, schema)[field]!;
  return resolved({ shape, schemas: facts.schemas }).fields ?? {};
}
