import type * as Ajv from "ajv/dist/2020";
import { asError } from "../errors";

let loaded: Ajv.Ajv2020 | undefined;
/** Compiled validators, keyed by the JSON of their schemas, because many cases have equal schemas. */
const compiled = new Map<string, Ajv.ValidateFunction>();

/** Returns the validator. It is loaded for the first schema, because most programs do not use schemas. */
function validator(): Ajv.Ajv2020 {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
  const { Ajv2020: Validator } = require("ajv/dist/2020") as typeof Ajv;
  // In JSON Schema 2020-12, formats are annotations.
  return (loaded ??= new Validator({
    strict: false,
    strictSchema: "log",
    validateFormats: false,
    addUsedSchema: false,
    logger: { log: rejectMisspelled, warn: rejectMisspelled, error: rejectMisspelled },
  }));
}

/** Throws for a log message about an unknown keyword. All other log messages are about valid schemas. */
function rejectMisspelled(remark: unknown): void {
  if (String(remark).includes("unknown keyword")) throw new Error(String(remark));
}

function compile(schema: Record<string, unknown>): Ajv.ValidateFunction {
  const key = JSON.stringify(schema);
  const known = compiled.get(key);
  if (known) return known;
  const validate = validator().compile(schema);
  // The result of such a validator would be a promise.
  if ("$async" in validate) throw new Error("$async is not supported");
  compiled.set(key, validate);
  return validate;
}

/** Returns the reason that a value is not a JSON Schema; `undefined` if it is one. */
export function schemaProblem(schema: Record<string, unknown>): string | undefined {
  try {
    compile(schema);
    return undefined;
  } catch (error) {
    return asError(error).message;
  }
}

/** Returns the first reason that a value does not match a JSON Schema; `undefined` if it does. */
export function schemaMismatch(schema: Record<string, unknown>, value: unknown): string | undefined {
  const validate = compile(schema);
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  return `the answer${(error?.instancePath ?? "").replaceAll("/", ".")} ${error?.message ?? "does not match the schema"}`;
}
