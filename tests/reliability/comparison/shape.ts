/** Response in a comparable format: its status, and the kind of value at each path. */
export interface Shape {
  status: number;
  /** Content type without its parameters. */
  type: string;
  /** Kinds of the values in the body, keyed by path. */
  values: ReadonlyMap<string, string>;
  /** Beginning of the body, which helps to explain differences. */
  excerpt: string;
}

/** Length of an excerpt, in characters. */
const excerptLength = 500;

/** Fields whose strings are compared literally. All others are compared by their kind. */
const literal = new Set([
  "status",
  "source",
  "multitask_strategy",
  "graph_id",
  "type",
  "event",
  "steps",
  "topic",
]);
/** Fields whose contents are defined by the graph, or by the library that serializes messages. */
const opaque = new Set(["messages", "additional_kwargs", "response_metadata", "detail"]);
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const idIn = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;
const time = /^\d{4}-\d\d-\d\dT/;

/** Returns the shape of a response with this body. */
export function shapeOf(status: number, contentType: string | null, body: unknown): Shape {
  const values = new Map<string, Set<string>>();
  collect(body, "", "", values);
  return {
    status,
    type: (contentType ?? "").split(";")[0]!,
    values: new Map([...values].map(([path, kinds]) => [path, [...kinds].sort().join(" or ")])),
    excerpt: (JSON.stringify(body) ?? "").slice(0, excerptLength),
  };
}

/**
 * Returns the events of a stream in order. Consecutive events with the same name are combined, and comments are
 * ignored.
 */
export function eventsOf(text: string): unknown {
  const data: Record<string, unknown[]> = {};
  const order: string[] = [];
  for (const block of text.split(/\r?\n\r?\n/)) {
    const lines = block.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith(":"));
    if (lines.length === 0) continue;
    const field = (name: string) =>
      lines
        .filter((line) => line.startsWith(`${name}:`))
        .map((line) => line.slice(name.length + 1).replace(/^ /, ""))
        .join("\n");
    const event = field("event").replace(idIn, "<id>");
    if (order.at(-1) !== event) order.push(event);
    (data[event] ??= []).push(parsed(field("data")));
  }
  return { order: order.join(", "), data };
}

/** Returns the differences between two shapes as strings, such as `/created_at: time, here missing`. */
export function differencesBetween(reference: Shape, here: Shape): string[] {
  if (reference.status !== here.status) return [`status: ${reference.status}, here ${here.status}`];
  if (reference.type !== here.type) return [`type: ${reference.type || "none"}, here ${here.type || "none"}`];
  const paths = [...new Set([...reference.values.keys(), ...here.values.keys()])];
  const different = paths.filter((path) => reference.values.get(path) !== here.values.get(path));
  // If a value differs, its contents differ for the same reason.
  const top = different.filter((path) => !different.some((above) => isBelow(path, above)));
  return top.map((path) => {
    const [expected = "missing", found = "missing"] = [reference.values.get(path), here.values.get(path)];
    return `${path || "body"}: ${expected}, here ${found}`;
  });
}

function isBelow(path: string, above: string): boolean {
  return path.startsWith(`${above}/`) || path.startsWith(`${above}[]`);
}

function collect(value: unknown, path: string, name: string, values: Map<string, Set<string>>): void {
  if (!values.has(path)) values.set(path, new Set());
  values.get(path)!.add(kindOf(value, name));
  if (opaque.has(name) || value === null) return;
  if (Array.isArray(value)) for (const item of value) collect(item, `${path}[]`, name, values);
  else if (typeof value === "object")
    for (const [key, part] of Object.entries(value)) {
      const shown = uuid.test(key) ? "<id>" : key;
      collect(part, `${path}/${shown}`, key, values);
    }
}

function kindOf(value: unknown, name: string): string {
  if (value === null) return "null";
  if (Array.isArray(value)) {
    if (literal.has(name) && value.every((one) => typeof one === "string")) return JSON.stringify(value);
    return value.length === 0 ? "empty list" : "list";
  }
  if (typeof value === "object") return Object.keys(value).length === 0 ? "empty object" : "object";
  if (typeof value !== "string") return typeof value;
  if (literal.has(name) || name === "order") return JSON.stringify(value);
  if (uuid.test(value)) return "id";
  return time.test(value) ? "time" : "text";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
