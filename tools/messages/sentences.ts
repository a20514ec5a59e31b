import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { repositoryRoot } from "../repository";

/** Folders that contain messages for users. */
const folders = ["provider", "sdk", "cli", "policies", "emulator", "wire"];

/** Text of at least three words in the sources: a message, or a part of one. */
interface Sentence {
  /** Path of the source file in the repository. */
  file: string;
  /** Text of the message, with the names of inserted values in braces. */
  text: string;
}

/** Returns all sentences in the sources, in order. */
export function findSentences(root: string = repositoryRoot): Sentence[] {
  return folders
    .flatMap((folder) => sourcesIn(root, folder))
    .sort()
    .flatMap((file) => sentencesOf(file, readFileSync(join(root, file), "utf8")));
}

/** Path of the list of all sentences in the repository. */
export const messagesFile = "tests/messages/messages.snap.txt";

/** Formats the sentences as a document. */
export function messagesDocument(sentences: Sentence[]): string {
  const files = [...new Set(sentences.map(({ file }) => file))];
  const parts = files.map((file) => {
    const texts = sentences.filter((one) => one.file === file).map(({ text }) => `- ${text}`);
    return `${file}\n${[...new Set(texts)].join("\n")}`;
  });
  return `Every sentence that the code may show, by file; \`npm run messages\` writes this list.\n\n${parts.join("\n\n")}\n`;
}

function sourcesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter(
      (file) => /\.(ts|mjs|cjs)$/.test(file) && !/(^|[\\/])(dist|node_modules)[\\/]|\.d\.ts$/.test(file),
    )
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`);
}

/** Returns the sentences in one source file. */
export function sentencesOf(file: string, source: string): Sentence[] {
  const found: Sentence[] = [];
  const visit = (node: ts.Node): void => {
    const text = literalText(node);
    if (text !== undefined && isSentence(text)) found.push({ file, text: printable(text) });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return found;
}

function literalText(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  const spans = node.templateSpans.map(
    ({ expression, literal }) => `{${nameOf(expression) ?? "…"}}${literal.text}`,
  );
  return node.head.text + spans.join("");
}

/** Returns the name of a variable or a property; `undefined` for code that computes a value. */
function nameOf(expression: ts.Expression): string | undefined {
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : undefined;
}

/** Returns the text on one line, with control characters escaped. */
function printable(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/\p{Cc}|\p{Cf}/gu, (one) => `\\u${one.codePointAt(0)!.toString(16).padStart(4, "0")}`);
}

/** True if the text is not code and has at least three words, counting an inserted value as one word. */
function isSentence(text: string): boolean {
  const words = text.replace(/\{[^{}]*\}/g, "x").match(/[A-Za-z]{1,}[\w'’-]*[,.:;]? /g) ?? [];
  return words.length >= 2 && !code.some((pattern) => pattern.test(text));
}

/** Patterns for code in templates: markup, SQL, TypeScript, Python, style sheets, and headers. */
const code = [
  /^\s*</,
  /^\s*(CREATE|SELECT|INSERT|UPDATE|DELETE|PRAGMA|ALTER|DROP|BEGIN|WITH)\b/,
  /^\s*(const|let|type) [\w{}, ]+ ?[=<(:]/,
  /^\s*import [\w, ]+(\n|;)/,
  /^\s*(import (\*|type|\{)|export (const|type|default|function)\b)/,
  /=>/,
  /\{[^{}]*:[^{}]*;\s*\}/,
  /; (Path|Max-Age|style-src)\b/,
];
