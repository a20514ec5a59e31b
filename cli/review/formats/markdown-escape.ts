import { clipped, oneLine } from "./harmless";
import { printable } from "../../printable";

/** Maximum length of untrusted text in a line, in characters. */
const longestText = 300;

/**
 * Formats untrusted text as a code span, in which Markdown, HTML, and mentions have no effect. The fence is longer than
 * any run of backticks in the text.
 */
export function codeSpan(text: string): string {
  const content = oneLine(text, longestText) || " ";
  const fence = "`".repeat(longestRun(content) + 1);
  const pad = /^`|`$|^ +$/.test(content) ? " " : "";
  return `${fence}${pad}${content}${pad}${fence}`;
}

/**
 * Formats untrusted text with several lines as a fenced block. Indents lines that start with `/`, because GitLab would
 * run commands such as `/merge` in blocks whose fences it does not recognize.
 */
export function codeBlock(text: string, limit: number): string {
  const content = clipped(printable(text.replace(/\r\n?/g, "\n")).replace(/^\//gm, " /"), limit);
  const fence = "`".repeat(Math.max(3, longestRun(content) + 1));
  return `${fence}text\n${content}\n${fence}`;
}

/**
 * Formats untrusted text for an HTML block, where Markdown is not parsed. The text is in `<code>`, in which mentions
 * have no effect.
 */
export function codeElement(text: string): string {
  const content = oneLine(text, longestText).replace(/[^A-Za-z0-9 _.-]/gu, (c) => `&#${c.codePointAt(0)};`);
  return `<code>${content}</code>`;
}

/** Formats untrusted text for an HTML comment, without anything that could end the comment. */
export function inComment(text: string): string {
  return oneLine(text, longestText)
    .replace(/[^A-Za-z0-9_./]+/g, "-")
    .replace(/-+/g, "-");
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
