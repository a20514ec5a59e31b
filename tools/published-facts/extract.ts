import type { ApiDocument, DocumentOperation, DocumentResponse } from "./document";
import type { Answer, Body, Facts, Operation, Parameter } from "./facts";
import { shapeOf, sorted } from "./shapes";

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** Extracts the facts of a document, without prose. */
export function extractFacts({ paths, components = {} }: ApiDocument): Facts {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => [
        `${method.toUpperCase()} ${path}`,
        toOperation(operation, components.responses ?? {}),
      ]),
  );
  const schemas = Object.entries(components.schemas ?? {}).map(([name, schema]) => [name, shapeOf(schema)]);
  return {
    operations: sorted(Object.fromEntries(operations) as Facts["operations"]),
    schemas: sorted(Object.fromEntries(schemas) as Facts["schemas"]),
  };
}

function toOperation(operation: DocumentOperation, shared: Record<string, DocumentResponse>): Operation {
  const body = toBody(operation);
  const answers = Object.entries(operation.responses ?? {}).map(([status, response]) => [
    status,
    toAnswer(response.$ref ? shared[response.$ref.split("/").at(-1)!]! : response),
  ]);
  return {
    ...(operation["x-inferred"] !== undefined && { inferred: true as const }),
    parameters: toParameters(operation),
    ...(body && { body }),
    answers: Object.fromEntries(answers) as Operation["answers"],
  };
}

function toParameters({ parameters = [] }: DocumentOperation): Parameter[] {
  const key = ({ in: place, name }: { in: string; name: string }): string => `${place} ${name}`;
  return parameters
    .map(({ name, in: place, required, schema = {} }) => ({
      in: place,
      name,
      ...shapeOf(schema),
      ...(required && { required: true as const }),
    }))
    .sort((one, other) => (key(one) < key(other) ? -1 : 1));
}

function toBody({ requestBody }: DocumentOperation): Body | undefined {
  if (!requestBody) return undefined;
  const [[media, { schema = {} }] = ["application/json", {}]] = Object.entries(requestBody.content ?? {});
  return {
    ...shapeOf(schema),
    ...(media !== "application/json" && { media }),
    ...(requestBody.required && { required: true as const }),
  };
}

function toAnswer({ content = {}, headers = {} }: DocumentResponse): Answer {
  const media = Object.entries(content).map(([type, { schema = {} }]) => [type, shapeOf(schema)]);
  const names = Object.keys(headers).sort();
  return {
    ...(media.length > 0 && { content: sorted(Object.fromEntries(media) as NonNullable<Answer["content"]>) }),
    ...(names.length > 0 && { headers: names }),
  };
}
