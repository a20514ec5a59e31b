import { bounds, type Field, type Operation, type Shape } from "../../../tools/published-facts/facts";

/** A shape, with the schemas that it may refer to. */
export interface Described {
  shape: Field;
  schemas: Record<string, Shape>;
}

/** Keywords that are compared for equality. */
const words = ["format", ...bounds] as const;

/**
 * Returns the differences between `here` and the published shape, one line each, with location and description. Ignores
 * the names of schemas.
 *
 * @param at location where the comparison starts
 */
function differences(here: Described, published: Described, at: string): string[] {
  return [...compared(here, published, at, [])];
}

/** An operation, with the schemas that it may refer to. */
export interface DescribedOperation {
  operation: Operation;
  schemas: Record<string, Shape>;
}

/** Returns the differences in the parameters and the body of an operation. */
export function requestDifferences(
  name: string,
  here: DescribedOperation,
  there: DescribedOperation,
): string[] {
  return partDifferences(name, sentTo(here.operation), here, sentTo(there.operation), there);
}

/** Returns the differences in the responses of an operation. */
export function answerDifferences(
  name: string,
  here: DescribedOperation,
  there: DescribedOperation,
): string[] {
  return partDifferences(name, answersOf(here.operation), here, answersOf(there.operation), there);
}

type Parts = Record<string, Field>;

function sentTo({ parameters, body }: Operation): Parts {
  return {
    ...Object.fromEntries(
      // Queries cannot contain null.
      parameters.map(({ in: place, name, nullable: _, ...shape }) => [`${place} ${name}`, shape]),
    ),
    ...(body && { body }),
  };
}

function answersOf({ answers }: Operation): Parts {
  return Object.fromEntries(
    Object.entries(answers).map(([status, { content = {} }]) => [
      status,
      content["application/json"] ?? Object.values(content)[0] ?? {},
    ]),
  );
}

function partDifferences(
  name: string,
  ours: Parts,
  here: DescribedOperation,
  theirs: Parts,
  there: DescribedOperation,
): string[] {
  return [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].flatMap((part) => {
    const at = `${name} ${part}`;
    if (!theirs[part]) return [`${at}: not published`];
    if (!ours[part]) return [`${at}: missing`];
    const one = { shape: ours[part], schemas: here.schemas };
    return differences(one, { shape: theirs[part], schemas: there.schemas }, at);
  });
}

function* compared(here: Described, there: Described, at: string, path: string[]): Generator<string> {
  if (Boolean(here.shape.required) !== Boolean(there.shape.required))
    yield `${at}: ${here.shape.required ? "required" : "optional"}`;
  const [one, other] = [resolved(here), resolved(there)];
  if (Boolean(one.nullable) !== Boolean(other.nullable))
    yield `${at}: ${one.nullable ? "nullable" : "not nullable"}`;
  const names = `${here.shape.schema}=${there.shape.schema}`;
  // A recursive schema is compared once.
  if (here.shape.schema && there.shape.schema && path.includes(names)) return;
  const inside = [...path, names];
  if (one.oneOf || other.oneOf) {
    if (alternatives(here, one) !== alternatives(there, other))
      yield `${at}: one of ${alternatives(here, one)}, not of ${alternatives(there, other)}`;
    return;
  }
  if (kindOf(one) !== kindOf(other)) {
    yield `${at}: ${kindOf(one)}, not ${kindOf(other)}`;
    return;
  }
  for (const word of words)
    if (one[word] !== other[word])
      yield `${at}: ${word} ${String(one[word] ?? "none")}, not ${String(other[word] ?? "none")}`;
  yield* enumDifferences(one, other, at);
  if (JSON.stringify(one.default) !== JSON.stringify(other.default))
    yield `${at}: default ${JSON.stringify(one.default) ?? "none"}, not ${JSON.stringify(other.default) ?? "none"}`;
  if (one.items || other.items)
    yield* compared(
      { shape: one.items ?? {}, schemas: here.schemas },
      { shape: other.items ?? {}, schemas: there.schemas },
      `${at}[]`,
      inside,
    );
  if (!one.fields && !other.fields) return;
  if (!one.fields || !other.fields) {
    yield `${at}: ${one.fields ? "certain fields" : "any fields"}`;
    return;
  }
  for (const name of new Set([...Object.keys(one.fields), ...Object.keys(other.fields)])) {
    const [ours, theirs] = [one.fields[name], other.fields[name]];
    if (!theirs) yield `${at}.${name}: not published`;
    else if (!ours) {
      // Inferred fields are optional.
      if (!theirs.inferred) yield `${at}.${name}: missing`;
    } else
      yield* compared(
        { shape: ours, schemas: here.schemas },
        { shape: theirs, schemas: there.schemas },
        `${at}.${name}`,
        inside,
      );
  }
}

function* enumDifferences(one: Shape, other: Shape, at: string): Generator<string> {
  if (!one.enum && !other.enum) return;
  if (!one.enum || !other.enum) {
    yield `${at}: ${one.enum ? `one of ${one.enum.join(", ")}` : "any value"}`;
    return;
  }
  for (const value of one.enum)
    if (!other.enum.includes(value)) yield `${at}: value ${String(value)} not published`;
  for (const value of other.enum)
    if (!one.enum.includes(value)) yield `${at}: value ${String(value)} missing`;
}

/** Resolves referenced schemas and merges the parts of `allOf`. */
export function resolved({ shape, schemas }: Described): Shape {
  const { schema, allOf, ...own } = shape;
  if (schema !== undefined) {
    const named = schemas[schema];
    if (!named) throw new Error(`There are no facts about the schema ${schema}`);
    const { nullable } = own;
    return { ...resolved({ shape: named, schemas }), ...(nullable && { nullable }) };
  }
  if (!allOf) return own;
  const parts = allOf.map((part) => resolved({ shape: part, schemas }));
  return parts.reduce<Shape>(
    (whole, part) => ({
      ...whole,
      ...part,
      ...((whole.fields ?? part.fields) && { fields: { ...whole.fields, ...part.fields } }),
    }),
    own,
  );
}

function kindOf(shape: Shape): string {
  return shape.type ?? (shape.fields ? "object" : shape.enum ? "string" : "anything");
}

function alternatives({ schemas }: Described, { oneOf, ...whole }: Shape): string {
  return (oneOf ?? [whole])
    .map((choice) => resolved({ shape: choice, schemas }))
    .map(
      (choice) =>
        `${kindOf(choice)}${choice.format ? ` ${choice.format}` : ""}${choice.enum ? ` ${choice.enum.join("|")}` : ""}${choice.items ? ` of ${kindOf(resolved({ shape: choice.items, schemas }))}` : ""}`,
    )
    .sort()
    .join(" or ");
}
