import Ajv, { type ErrorObject, type ValidateFunction } from "ajv";
import { z } from "zod";
import type { Facts, Shape } from "../../../tools/published-facts/facts";
import { jsonSchemaOf } from "./json-schema";

const ajv = new Ajv({ allErrors: true, strict: false, validateSchema: false });
ajv.addFormat("uuid", (text) => z.guid().safeParse(text).success);
ajv.addFormat("date-time", (text) => z.iso.datetime({ offset: true }).safeParse(text).success);
ajv.addFormat("uri-reference", (text) => URL.canParse(text, "https://example.com"));

/** Checks values against the facts of one document. */
export class Conformity {
  private readonly compiled = new Map<string, ValidateFunction>();

  /** @param closed true to report fields that the document does not list */
  constructor(
    private readonly schemas: Facts["schemas"],
    private readonly closed: boolean,
  ) {}

  /** Returns the differences between the value and the shape, one line each, with location and description. */
  findings(value: unknown, shape: Shape, at: string): string[] {
    const key = JSON.stringify(shape);
    const validate =
      this.compiled.get(key) ??
      ajv.compile(jsonSchemaOf(shape, { schemas: this.schemas, closed: this.closed }));
    this.compiled.set(key, validate);
    if (validate(value)) return [];
    const errors = validate.errors ?? [];
    const telling = errors.filter(
      ({ keyword, message }) => keyword !== "anyOf" && message !== "must be null",
    );
    return [...new Set((telling.length > 0 ? telling : errors).map((error) => wording(error, at)))];
  }
}

/** Describes an error without list indices, so that equal findings are reported only once. */
function wording({ instancePath, keyword, params, message }: ErrorObject, at: string): string {
  const place = `${at}${instancePath.replaceAll(/\/\d+/g, "[]").replaceAll("/", ".")}`;
  if (keyword === "additionalProperties")
    return `${place}.${String(params["additionalProperty"])}: not published`;
  if (keyword === "required") return `${place}.${String(params["missingProperty"])}: missing`;
  return `${place}: ${message ?? keyword}`;
}
