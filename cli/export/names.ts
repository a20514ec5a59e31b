/**
 * Names of an exported deployment or of its contents. They are unique in the workspace, regardless of which deployments
 * are selected.
 */
export interface ExportedNames {
  /** Name of the Pulumi resource. */
  resource: string;
  /** Name of the variable in a program. */
  variable: string;
  /** File name of a manifest, without its extension. */
  file: string;
}

/** Reserved words, and names that the exported program uses for other purposes. */
const reservedNames = [
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

/** Maximum lengths of names, in characters. They leave room for a number at the end of the name. */
const maxLength = { resource: 250, file: 200 };

/** Returns names for a workspace's deployments and their contents, in order. */
export function namesFor(known: readonly string[]): ExportedNames[] {
  const resources = new Set<string>();
  const variables = new Set(reservedNames);
  return known.map((name) => {
    const resource = uniqueName(resources, resourceName(name), "-");
    return {
      resource,
      variable: uniqueName(variables, variableName(resource), ""),
      file:
        resource.length > maxLength.file
          ? uniqueName(resources, resource.slice(0, maxLength.file), "-")
          : resource,
    };
  });
}

/** Converts the name of a deployment to a valid manifest name. Most names do not change. */
function resourceName(deployment: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(deployment)) return deployment.slice(0, maxLength.resource);
  const plain = deployment.normalize("NFKD").replace(/\p{Mark}/gu, "");
  const words = plain.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, "");
  return words === "" ? "deployment" : words.slice(0, maxLength.resource);
}

/** Converts a resource name to a variable name without underscores. Underscores separate the name from suffixes. */
function variableName(resource: string): string {
  const [first = "", ...rest] = resource.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = lowerFirst(first) + rest.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
  return /^[A-Za-z]/.test(joined) ? joined : `agent${joined}`;
}

function lowerFirst(word: string): string {
  return /^[A-Z0-9]+$/.test(word) ? word.toLowerCase() : word[0]!.toLowerCase() + word.slice(1);
}

/**
 * Returns the name, with a number appended if the name is already in use. The comparison is case-insensitive, because
 * file systems may be.
 */
function uniqueName(inUse: Set<string>, name: string, separator: string): string {
  let result = name;
  for (let count = 2; inUse.has(result.toLowerCase()); count += 1) result = `${name}${separator}${count}`;
  inUse.add(result.toLowerCase());
  return result;
}

/** Converts a pattern to a regular expression for entire names: `*` matches any text, and `?` matches any character. */
export function namePattern(text: string): RegExp {
  const parts = Array.from(text, (one) => {
    if (one === "*") return "[^]*";
    return one === "?" ? "[^]" : one.replace(/[\\^$.|+()[\]{}/]/, "\\$&");
  });
  return new RegExp(`^${parts.join("")}$`, "u");
}
