import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { repositoryRoot } from "../repository";

/** Folders whose texts users get to read. */
const folders = ["provider", "sdk", "cli", "policies", "emulator", "wire"];

/** A text in the sources that is at least three words long: a message, or a part of one. */
interface Sentence {
  /** Path in the repository. */
  file: string;
  /** With the source of what is filled in between braces. */
  text: string;
}

/** Every sentence in the sources, file by file, in the order in which they stand there. */
export function sentencesIn(root: string = repositoryRoot): Sentence[] {
  return folders
    .flatMap((folder) => sourcesIn(root, folder))
    .sort()
    .flatMap((file) => sentencesOf(file, readFileSync(join(root, file), "utf8")));
}

/** The sentences as a document. */
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

/** The sentences of one source. */
export function sentencesOf(file: string, source: string): Sentence[] {
  const found: Sentence[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    if (text !== undefined && isSentence(text)) found.push({ file, text: text.replace(/\s+/g, " ").trim() });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return found;
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  const spans = node.templateSpans.map(
    ({ expression, literal }) => `{${expression.getText()}}${literal.text}`,
  );
  return node.head.text + spans.join("");
}

/** Three words, of which what is filled in counts as one; no markup, no query of a database. */
function isSentence(text: string): boolean {
  const words = text.replace(/\{[^{}]*\}/g, "x").match(/[A-Za-z]{1,}[\w'’-]*[,.:;]? /g) ?? [];
  return (
    words.length >= 2 &&
    !/^\s*</.test(text) &&
    !/^\s*(CREATE|SELECT|INSERT|UPDATE|DELETE|PRAGMA|ALTER|DROP|BEGIN|WITH)\b/.test(text)
  );
}
