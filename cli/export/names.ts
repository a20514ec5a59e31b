/** What a deployment, or something in one, is called in what is exported. Every name is its own in the workspace, whatever is selected. */
export interface ExportedNames {
  /** Name of the Pulumi resource. */
  resource: string;
  /** Variable of a program. */
  variable: string;
  /** File of a manifest, without its ending. */
  file: string;
}

/** Words that no variable can have, and those that the program uses itself. */
const taken = [
  "abstract",
  "any",
  "arguments",
  "as",
  "async",
  "await",
  "boolean",
  "break",
  "case",
  "catch",
  "class",
  "const",
  "continue",
  "debugger",
  "declare",
  "default",
  "delete",
  "do",
  "else",
  "enum",
  "eval",
  "export",
  "extends",
  "false",
  "finally",
  "for",
  "from",
  "function",
  "get",
  "global",
  "globalThis",
  "if",
  "implements",
  "import",
  "in",
  "instanceof",
  "interface",
  "is",
  "keyof",
  "let",
  "module",
  "namespace",
  "never",
  "new",
  "null",
  "number",
  "object",
  "of",
  "package",
  "private",
  "protected",
  "public",
  "readonly",
  "require",
  "return",
  "set",
  "static",
  "string",
  "super",
  "switch",
  "symbol",
  "this",
  "throw",
  "true",
  "try",
  "type",
  "typeof",
  "undefined",
  "unique",
  "unknown",
  "var",
  "void",
  "while",
  "with",
  "yield",
  "infinity",
  "nan",
  "exports",
  "process",
  "console",
  "config",
  "deployment",
  "pulumi",
  "urls",
  "constructor",
  "prototype",
];

/** Longest names, in characters, with room for a number. */
const longest = { resource: 250, file: 200 };

/** Names for the deployments of a workspace and what is in them, in the order of theirs. */
export function namesFor(known: readonly string[]): ExportedNames[] {
  const resources = new Set<string>();
  const variables = new Set(taken);
  return known.map((name) => {
    const resource = unlike(resources, resourceName(name), "-");
    return {
      resource,
      variable: unlike(variables, variableName(resource), ""),
      file:
        resource.length > longest.file ? unlike(resources, resource.slice(0, longest.file), "-") : resource,
    };
  });
}

/** A name that a manifest can have: the deployment's own, wherever that is one. */
function resourceName(deployment: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(deployment)) return deployment.slice(0, longest.resource);
  const plain = deployment.normalize("NFKD").replace(/\p{Mark}/gu, "");
  const words = plain.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, "");
  return words === "" ? "deployment" : words.slice(0, longest.resource);
}

/** Without underscores, so that one can set it off from what follows. */
function variableName(resource: string): string {
  const [first = "", ...rest] = resource.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = lowered(first) + rest.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
  return /^[A-Za-z]/.test(joined) ? joined : `agent${joined}`;
}

function lowered(word: string): string {
  return /^[A-Z0-9]+$/.test(word) ? word.toLowerCase() : word[0]!.toLowerCase() + word.slice(1);
}

/** The wish, with a number behind it where there is one like it: file systems may not distinguish cases. */
function unlike(others: Set<string>, wish: string, separator: string): string {
  let name = wish;
  for (let count = 2; others.has(name.toLowerCase()); count += 1) name = `${wish}${separator}${count}`;
  others.add(name.toLowerCase());
  return name;
}
