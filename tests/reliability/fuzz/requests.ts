import type { Facts, Operation, Parameter } from "../../../tools/published-facts/facts";
import { fc } from "../../properties";
import { encoded, jsonText, oddText } from "./odd-values";
import type { FuzzRequest } from "./request";
import { brokenBodies, spoilt } from "./spoiling";
import { type Hints, valuesOf } from "./values";

/** An operation, as described in one document. */
export interface Source {
  facts: Facts;
  /** Name of the operation in the document. */
  name: string;
}

/** Returns requests for an operation, both valid and invalid. */
export function requestsOf(
  operation: string,
  sources: readonly Source[],
  hints: Hints,
): fc.Arbitrary<FuzzRequest> {
  const described = sources.length > 0 ? sources : [{ facts: undescribed(operation), name: operation }];
  return fc.oneof(...described.map((source) => requestsFrom(operation, source, hints)));
}

/** Returns facts about an operation that is not documented. They contain only the parameters in the path. */
function undescribed(operation: string): Facts {
  const names = [...operation.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const parameters = names.map((name) => ({
    in: "path",
    name,
    type: "string" as const,
    required: true as const,
  }));
  return { operations: { [operation]: { parameters, answers: {} } }, schemas: {} };
}

function requestsFrom(operation: string, { facts, name }: Source, hints: Hints): fc.Arbitrary<FuzzRequest> {
  const [method, template] = operation.split(" ") as [string, string];
  const { parameters, body } = facts.operations[name]!;
  const placed = (place: string): Parameter[] => parameters.filter((one) => one.in === place);
  const values = (parameter: Parameter) =>
    valuesOf({ shape: withoutNull(parameter), schemas: facts.schemas }, hints, parameter.name);
  const target = fc
    .tuple(pathsOf(template, placed("path"), values), queriesOf(placed("query"), values))
    .map(([path, query]) => (query === "" ? path : `${path}?${query}`));
  return fc
    .record({ target, headers: headersOf(template), body: bodiesOf(body, facts, hints) })
    .map(({ target: sent, headers, body: carried }) => ({
      operation,
      method,
      target: sent,
      headers: { ...(carried !== undefined && { "content-type": "application/json" }), ...headers },
      ...(carried !== undefined && { body: carried }),
    }));
}

type Values = (parameter: Parameter) => fc.Arbitrary<unknown>;

/** Unexpected values for a path segment, encoded. */
const oddPart = fc.oneof(
  fc.constantFrom(
    "%",
    "%zz",
    "%ff",
    "%00",
    "%2e%2e",
    "..",
    ".",
    "a%2Fb",
    "%F0%9F%92%A5",
    "seven",
    "x".repeat(3_000),
  ),
  oddText.map(encoded),
);

function pathsOf(template: string, parameters: Parameter[], values: Values): fc.Arbitrary<string> {
  const parts = template.split("/").map((part) => {
    const parameter = parameters.find(({ name }) => part === `{${name}}`);
    if (!parameter) return fc.constant(part);
    return fc.oneof(
      { weight: 8, arbitrary: values(parameter).map(inUrl) },
      { weight: 1, arbitrary: oddPart },
    );
  });
  return fc.tuple(...parts).map((all) => all.join("/"));
}

function queriesOf(parameters: Parameter[], values: Values): fc.Arbitrary<string> {
  const named = parameters.map((parameter) => {
    const value = fc.oneof(
      { weight: 5, arbitrary: values(parameter).map((one) => [one].flat()) },
      { weight: 1, arbitrary: fc.array(oddText, { maxLength: 3 }) },
    );
    const text = value.map((all) => all.map((one) => `${encoded(parameter.name)}=${inUrl(one)}`));
    return fc.option(text, { nil: [], freq: parameter.required ? 9 : 1 });
  });
  const further = seldom(
    fc.constantFrom("limit=1&limit=2", "__proto__=1", "a[b]=c", "%=%", "x", "=&&=", "%ff=%ff"),
    undefined,
  );
  return fc
    .tuple(fc.tuple(...named), further)
    .map(([all, odd]) => [...all.flat(), odd ?? []].flat().join("&"));
}

const both = "application/json, text/event-stream";

function headersOf(template: string): fc.Arbitrary<FuzzRequest["headers"]> {
  const usual: Record<string, string> = /^\/(mcp|a2a)/.test(template) ? { accept: both } : {};
  const odd = fc.constantFrom<FuzzRequest["headers"]>(
    { "content-type": "text/plain" },
    { "content-type": "application/x-www-form-urlencoded" },
    { "content-type": "application/json; charset=utf-16" },
    { "content-type": "multipart/form-data; boundary=x" },
    { "content-type": ";;" },
    { accept: "image/png;q=0" },
    { accept: "text/event-stream" },
    { "content-encoding": "gzip" },
    { "last-event-id": "-" },
    { "last-event-id": "seven" },
    { "last-event-id": "99999999999999999999" },
    { origin: "null" },
    { cookie: "a=\xff", "accept-language": "*" },
    { "x-forwarded-host": "a b", "x-forwarded-proto": "gopher" },
    { "if-none-match": "*", range: "bytes=5-1" },
    { authorization: "Bearer" },
    { "x-http-method-override": "DELETE" },
    { te: "trailers", "x-odd": ["a", "b", ""] },
  );
  return seldom(odd, {}).map((more) => ({ ...usual, ...more }));
}

function bodiesOf(
  body: Operation["body"],
  { schemas }: Facts,
  hints: Hints,
): fc.Arbitrary<string | Uint8Array | undefined> {
  const odd = fc.constantFrom<string | Uint8Array | undefined>("{}", "[]", '{"a":1}');
  if (!body) return seldom(odd, undefined);
  const values = valuesOf({ shape: body, schemas }, hints);
  return fc.oneof(
    { weight: 6, arbitrary: values.map(jsonText) },
    { weight: 6, arbitrary: spoilt(values).map(jsonText) },
    { weight: 1, arbitrary: brokenBodies(values) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

/** Returns a parameter that does not allow null, because null cannot be expressed in a query. */
function withoutNull({ nullable: _, ...shape }: Parameter): Parameter {
  return shape;
}

/** Generates one of the values in one of ten cases, and `nothing` otherwise. */
function seldom<Value, Nothing>(
  values: fc.Arbitrary<Value>,
  nothing: Nothing,
): fc.Arbitrary<Value | Nothing> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(nothing) }, { weight: 1, arbitrary: values });
}

function inUrl(value: unknown): string {
  return filledIn(typeof value === "string" ? value : jsonText(value));
}

/** Encodes a string for a URL, except for placeholders. */
function filledIn(text: string): string {
  return text
    .split(/(<<\w+ #\d+>>)/)
    .map((part, index) => (index % 2 ? part : encoded(part)))
    .join("");
}
