import { posix } from "node:path";
import { AgentServerError } from "../errors";

interface Pattern {
  isNegated: boolean;
  matches: (path: string) => boolean;
  /** True if the pattern may match a path inside this folder. */
  mayMatchInside: (folder: string) => boolean;
}

/**
 * The rules of one `.dockerignore`. As in Docker, patterns are relative to the file's folder, a pattern that matches a
 * folder also matches everything inside it, and the last matching pattern takes precedence.
 */
export class DockerRules {
  private readonly patterns: readonly Pattern[];
  /** Index of the last pattern that matches a folder or one of its parents, keyed by the path of the folder. */
  private readonly lastForFolder = new Map([[".", -1]]);

  /**
   * Parses the text of a `.dockerignore`.
   * @throws AgentServerError `bad_configuration` for a pattern that Docker rejects
   */
  constructor(file: string, text: string) {
    this.patterns = text
      .replace(/^\ufeff/, "")
      .split("\n")
      .filter((line) => !line.startsWith("#") && line.trim() !== "")
      .map((line) => patternOf(line.trim(), file));
  }

  ignores(path: string): boolean {
    return this.patterns[this.last(path)]?.isNegated === false;
  }

  /** True if the folder is ignored and no later pattern can include files inside it again. */
  ignoresAllInside(folder: string): boolean {
    const laterPatterns = this.patterns.slice(this.last(folder) + 1);
    return (
      this.ignores(folder) &&
      !laterPatterns.some(({ isNegated, mayMatchInside }) => isNegated && mayMatchInside(folder))
    );
  }

  private last(path: string): number {
    const above = posix.dirname(path);
    const inherited = this.lastForFolder.get(above) ?? this.last(above);
    this.lastForFolder.set(above, inherited);
    return Math.max(
      inherited,
      this.patterns.findLastIndex(({ matches }, index) => index > inherited && matches(path)),
    );
  }
}

function patternOf(line: string, file: string): Pattern {
  const invalid = () =>
    new AgentServerError(
      "bad_configuration",
      `${file} contains the pattern ${JSON.stringify(line)}, which Docker rejects. Correct it.`,
    );
  const isNegated = line.startsWith("!");
  const body = isNegated ? line.slice(1).trim() : line;
  const pattern = posix
    .normalize(body)
    .replace(/(?<=.)\/$/, "")
    .replace(/^\/(?=.)/, "");
  if (body === "") throw invalid();
  const expression = expressionOf(pattern, invalid);
  const segments = pattern.split("/");
  const mayMatchAnyDepth = /\*\*|[[\\]/.test(pattern);
  return {
    isNegated,
    matches: (path) => expression.test(path),
    mayMatchInside: (folder) => {
      const depth = folder.split("/").length;
      if (mayMatchAnyDepth || segments.length <= depth) return mayMatchAnyDepth;
      return expressionOf(segments.slice(0, depth).join("/"), invalid).test(folder);
    },
  };
}

const member = String.raw`(?:\\[^]|[^\]\\-])`;
const characterClass = String.raw`\[\^?(?:${member}(?:-${member})?)+\]`;
const tokens = new RegExp(String.raw`\*\*\/?|\\[^]|${characterClass}|[^]`, "gu");

function expressionOf(pattern: string, invalid: () => Error): RegExp {
  const all = pattern.match(tokens) ?? [];
  const isLiteral = (token: string) => !/^[*?[\]\\]/.test(token);
  const sources = all.map((token, index) => {
    if (token === "[" || token === "\\") throw invalid();
    if (token.startsWith("**")) {
      const isLast = index === all.length - 1;
      // Docker compares the end of the path if `**` starts the pattern and is its only wildcard.
      return isLast || (index === 0 && token === "**" && all.slice(1).every(isLiteral)) ? ".*" : "(?:.*/)?";
    }
    if (token === "*") return "[^/]*";
    if (token === "?") return "[^/]";
    if (token.startsWith("["))
      return token.replace(/\\([^])/gu, (_, character: string) => escaped(character));
    return escaped(token.replace(/^\\/, ""));
  });
  try {
    return new RegExp(`^${sources.join("")}$`, "su");
  } catch {
    // The pattern contains a range in the wrong order.
    throw invalid();
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, (character) =>
    character === "-" ? String.raw`\x2d` : `\\${character}`,
  );
}
