/** The options of `runtime: {name: nodejs, options: …}` in a project or plugin file that matter when it runs. */
export interface NodeOptions {
  /** Load TypeScript sources directly; on unless switched off. */
  typescript: boolean;
  /** The tsconfig.json to use for that. */
  tsconfig?: string;
  /** Arguments for node itself, already split. */
  nodeArguments: string[];
}

/** Reads them as the official language host does, with the same errors. */
export function parseNodeOptions(options: Record<string, unknown>): NodeOptions {
  const { typescript = true, tsconfig, nodeargs = "" } = options;
  if (typeof typescript !== "boolean") throw new Error("typescript option must be a boolean");
  if (tsconfig !== undefined && typeof tsconfig !== "string")
    throw new Error("tsconfig option must be a string");
  if (typeof nodeargs !== "string") throw new Error("nodeargs option must be a string");
  return { typescript, tsconfig, nodeArguments: splitArguments(nodeargs) };
}

/** The environment variables by which the SDK's run scripts learn of the options. */
export function optionVariables(options: NodeOptions): Record<string, string> {
  return {
    ...(options.typescript && { PULUMI_NODEJS_TYPESCRIPT: "true" }),
    ...(options.tsconfig && { PULUMI_NODEJS_TSCONFIG_PATH: options.tsconfig }),
  };
}

/** Splits like a shell without expansions: blanks separate, quotes and backslashes protect. */
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
