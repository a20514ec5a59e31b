import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  type Node,
  visit,
  type YAMLMap,
  type YAMLParseError,
} from "yaml";

/** A fault at a character offset in the file. */
export interface TextFault {
  offset: number;
  message: string;
}

/** Maximum nesting depth of a document. */
const deepest = 64;

/** Maximum total number of fields in a document. */
const mostFields = 10_000;

/** Maximum number of aliases in a document. For each alias, the parser searches all anchors. */
const mostAliases = 1000;

/** Message for a document that is nested too deeply, or that caused a stack overflow in the parser. */
export const tooDeep = "is nested too deeply";

/** Maximum number of errors to report. One mistake can cause many errors, and the first few are enough to locate it. */
const mostErrors = 10;

/** Returns faults for syntax errors, and for YAML features that a manifest must not use. */
export function yamlFaults(document: Document.Parsed): TextFault[] {
  if (document.errors.length > 0) return syntaxFaults(document.errors);
  const faults: TextFault[] = [];
  const anchors = new Map<string, Node>();
  let fields = 0;
  let aliases = 0;
  visit(document, {
    Node(_, node, path) {
      const message = isAlias(node) ? aliasFault(anchors.get(node.source), path) : nodeFault(node);
      if (isAlias(node)) aliases += 1;
      else if (node.anchor) anchors.set(node.anchor, node);
      if (message !== undefined) faults.push({ offset: offsetOf(node), message });
      if (isMap(node)) {
        faults.push(...duplicateFields(node));
        fields += node.items.length;
      }
      if (fields > mostFields) {
        faults.push({ offset: 0, message: `has more than ${mostFields} fields` });
        return visit.BREAK;
      }
      if (aliases > mostAliases) {
        faults.push({ offset: 0, message: `has more than ${mostAliases} aliases` });
        return visit.BREAK;
      }
      if (path.filter(isCollection).length <= deepest) return undefined;
      faults.push({ offset: offsetOf(node), message: tooDeep });
      return visit.BREAK;
    },
    Pair(_, { key }) {
      if (isScalar(key) && key.value === "__proto__")
        faults.push({ offset: offsetOf(key), message: "__proto__ is not allowed as a field name" });
    },
  });
  return faults;
}

function duplicateFields({ items }: YAMLMap): TextFault[] {
  const names = new Set<unknown>();
  const duplicates = items.filter(({ key }) => {
    const isDuplicate = isScalar(key) && names.has(key.value);
    if (isScalar(key)) names.add(key.value);
    return isDuplicate;
  });
  return duplicates
    .slice(0, mostErrors)
    .map(({ key }) => ({ offset: offsetOf(key as Node), message: ownWords.DUPLICATE_KEY }));
}

/**
 * Returns the fault of an alias, if it has one.
 * @param path ancestors of the alias, starting with the document
 */
function aliasFault(target: Node | undefined, path: readonly unknown[]): string | undefined {
  if (!target) return ownWords.BAD_ALIAS;
  return path.includes(target) ? "an alias is inside the value that it refers to" : undefined;
}

function nodeFault(node: Node): string | undefined {
  if ("tag" in node && node.tag !== undefined) return ownWords.TAG_RESOLVE_FAILED;
  return isScalar(node) && typeof node.value === "number" ? numberFault(node.value, node.source) : undefined;
}

function numberFault(value: number, text = ""): string | undefined {
  if (!Number.isFinite(value)) return "is not a finite number; put strings in quotes";
  const isWhole = /^[-+]?\d+$/.test(text);
  if (!isWhole || Number.isSafeInteger(value)) return undefined;
  return "is a number that is too large to be represented exactly; put strings in quotes";
}

function offsetOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

function syntaxFaults(errors: YAMLParseError[]): TextFault[] {
  // One level too many causes an error at every level, so only one error is reported.
  const nesting = errors.find(({ code }) => code === "RESOURCE_EXHAUSTION");
  return nesting
    ? [{ offset: nesting.pos[0], message: tooDeep }]
    : errors.slice(0, mostErrors).map(syntaxFault);
}

function syntaxFault({ code, message, pos }: YAMLParseError): TextFault {
  return { offset: pos[0], message: isOwn(code) ? ownWords[code] : `is not valid YAML: ${message}` };
}

/** Replacements for parser messages that would not be helpful, or that quote the source, which may contain a secret. */
const ownWords = {
  BAD_ALIAS: "is not valid YAML: an alias has no anchor before it",
  BAD_DQ_ESCAPE: "is not valid YAML: invalid escape sequence; use single quotes",
  BAD_DIRECTIVE: "is not valid YAML: invalid directive (%…)",
  DUPLICATE_KEY: "this field is specified twice",
  NON_STRING_KEY: "field names must be strings",
  TAG_RESOLVE_FAILED: "a tag (!…) cannot be used here",
  UNEXPECTED_TOKEN: "is not valid YAML: unexpected content",
} satisfies Partial<Record<YAMLParseError["code"], string>>;

function isOwn(code: YAMLParseError["code"]): code is keyof typeof ownWords {
  return code in ownWords;
}
