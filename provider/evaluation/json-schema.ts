import type * as Ajv from "ajv/dist/2020";
import { asError } from "../errors";

let loaded: Ajv.Ajv2020 | undefined;

/** Loads the validator with the first schema, because most programs have none. */
function validator(): Ajv.Ajv2020 {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
  const { Ajv2020: Validator } = require("ajv/dist/2020") as typeof Ajv;
  // Misspelled keywords are errors; formats are annotations, as JSON Schema 2020-12 specifies.
  return (loaded ??= new Validator({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    validateFormats: false,
    addUsedSchema: false,
  }));
}

/** Returns the reason why a value is not a JSON Schema; `undefined` if it is one. */
export function schemaProblem(schema: Record<string, unknown>): string | undefined {
  try {
    validator().compile(schema);
    return undefined;
  } catch (error) {
    return asError(error).message;
  }
}

/** Returns the first reason why a value does not match a JSON Schema; `undefined` if it does. */
export function schemaMismatch(schema: Record<string, unknown>, value: unknown): string | undefined {
  const validate = validator().compile(schema);
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  return `the answer${(error?.instancePath ?? "").replaceAll("/", ".")} ${error?.message ?? "does not match the schema"}`;
}
