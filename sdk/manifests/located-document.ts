import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
} from "yaml";
import type { Fault, Place } from "./fault";
import { tooDeep, yamlFaults } from "./yaml-rules";

/** A file with manifests. */
export interface ManifestFile {
  /** Path of the file, as displayed to the user. */
  path: string;
  text: string;
}

/** One document of a file, with the positions of its values. */
export interface LocatedDocument {
  value: unknown;
  /** True if there is a value at this path, including null. */
  holds(path: readonly string[]): boolean;
  /**
   * Returns the position of the value at a path, or of its name. For a missing value, returns the position of its
   * parent's name.
   */
  place: (path: readonly string[], part?: "name" | "value") => Place;
}

/** Maximum length of a file, in characters. */
export const longestFile = 1024 * 1024;

/** Maximum size to which aliases may expand a document. */
const maxAliasCount = 100;

/** Returns the documents of a file, except for empty ones. A file with a YAML fault has no documents. */
export function readDocuments({ path: file, text }: ManifestFile): {
  documents: LocatedDocument[];
  faults: Fault[];
} {
  const lines = new LineCounter();
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const refused = (message: string, offset = 0) => ({ documents: [], faults: [{ ...at(offset), message }] });
  if (text.length > longestFile) return refused("the file is larger than 1 MiB");
  try {
    const documents: Document.Parsed[] = parseAllDocuments(text, {
      lineCounter: lines,
      prettyErrors: false,
      stringKeys: true,
      // The parser compares each key with all others; `yamlFaults` finds duplicates in linear time.
      uniqueKeys: false,
      logLevel: "silent",
      version: "1.2",
      schema: "core",
      merge: false,
    });
    const faults = documents.flatMap((document) => yamlFaults(document));
    if (faults.length > 0)
      return { documents: [], faults: faults.map(({ offset, message }) => ({ ...at(offset), message })) };
    return { documents: documents.filter(isFilled).map((document) => located(document, at)), faults: [] };
  } catch (error) {
    // Deep nesting overflows the stack of the parser. Aliases that expand too much cause a ReferenceError.
    if (error instanceof RangeError) return refused(tooDeep);
    if (error instanceof ReferenceError) return refused("its aliases expand to too much content");
    throw error;
  }
}

function isFilled(document: Document): boolean {
  return document.contents !== null && !(isScalar(document.contents) && document.contents.value === null);
}

function located(document: Document.Parsed, at: (offset: number) => Place): LocatedDocument {
  const value: unknown = document.toJS({ maxAliasCount });
  // The parser reads the whole document to resolve an alias, so the targets are cached.
  const targets = new Map<Alias, Node | undefined>();
  const resolve = (alias: Alias) => {
    if (!targets.has(alias)) targets.set(alias, alias.resolve(document));
    return targets.get(alias);
  };
  const holds = (path: readonly string[]) =>
    stepsAlong(document.contents, path, resolve).length === path.length + 1;
  return {
    value,
    holds,
    place(path, part = "value") {
      const steps = stepsAlong(document.contents, path, resolve);
      const { name, value: node } = steps.at(-1)!;
      const wanted = part === "value" && steps.length === path.length + 1 && !isEmpty(node) ? node : name;
      return at((wanted ?? node)?.range?.[0] ?? 0);
    },
  };
}

/** A value on a path, with its name if it has one. */
interface Step {
  name?: Node;
  value: Node | null;
}

type ResolveAlias = (alias: Alias) => Node | undefined;

/** Returns the existing values on a path, starting with the whole document. */
function stepsAlong(contents: Node | null, path: readonly string[], resolve: ResolveAlias): Step[] {
  const steps: Step[] = [{ value: contents }];
  for (const key of path) {
    const next = stepTo(steps.at(-1)!.value, key, resolve);
    if (!next) break;
    steps.push(next);
  }
  return steps;
}

function stepTo(from: Node | null, key: string, resolve: ResolveAlias): Step | undefined {
  const inside = isAlias(from) ? resolve(from) : from;
  if (isSeq(inside)) {
    const item = inside.items[Number(key)];
    return item === undefined ? undefined : { value: item as Node };
  }
  if (!isMap(inside)) return undefined;
  const pair = inside.items.find(({ key: name }) => isScalar(name) && String(name.value) === key);
  return pair && { name: pair.key as Node, value: pair.value as Node | null };
}

/** True if a value is omitted in YAML, so that it has no position in the file. */
function isEmpty(node: Node | null): boolean {
  return !node?.range || node.range[0] === node.range[1];
}
