/** Runtime options of a project or plugin (`runtime: {name: nodejs, options: …}`). */
export interface NodeOptions {
  /** True to load TypeScript sources directly, which is the default. */
  typescript: boolean;
  /** Path of the tsconfig.json for TypeScript sources. */
  tsconfig?: string;
  /** Arguments that are passed to Node.js. */
  nodeArguments: string[];
}

/** Parses the options in the same way as the official language host, with the same errors. */
export function parseNodeOptions(options: Record<string, unknown>): NodeOptions {
  const { typescript = true, tsconfig, nodeargs = "" } = options;
  if (typeof typescript !== "boolean") throw new Error("typescript option must be a boolean");
  if (tsconfig !== undefined && typeof tsconfig !== "string")
    throw new Error("tsconfig option must be a string");
  if (typeof nodeargs !== "string") throw new Error("nodeargs option must be a string");
  return { typescript, tsconfig, nodeArguments: splitArguments(nodeargs) };
}

/** Returns the environment variables that pass the options to the SDK's scripts. */
export function optionVariables(options: NodeOptions): Record<string, string> {
  return {
    ...(options.typescript && { PULUMI_NODEJS_TYPESCRIPT: "true" }),
    ...(options.tsconfig && { PULUMI_NODEJS_TSCONFIG_PATH: options.tsconfig }),
  };
}

/**
 * Splits arguments in the same way as a shell, but without expansions: whitespace separates arguments, and quotes and
 * backslashes escape characters.
 */
export function splitArguments(text: string): string[] {
  const pieces = text.matchAll(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs);
  const words = Array.from(pieces, ([word]) => word);
  const separated = text.replace(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs, "");
  if (separated.trim() !== "") throw new Error("nodeargs option has an unclosed quote");
  return words.map((word) =>
    word.replace(
      /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/gs,
      (_, escaped?: string, double?: string, single?: string) =>
        escaped ?? double?.replace(/\\(["\\$`])/g, "$1") ?? single ?? "",
    ),
  );
}
