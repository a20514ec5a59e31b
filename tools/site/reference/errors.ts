import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AgentServerError, errorCodes } from "../../../provider/errors";
import { repositoryRoot } from "../../repository";
import { escapeText } from "./members";

/** Path of the file that declares the error codes. Their doc comments are the descriptions on the page. */
const source = join("provider", "errors.ts");

/** Returns the sections of the page about error codes. */
export function errorSections(): string[] {
  const text = readFileSync(join(repositoryRoot, source), "utf8");
  const codes = commentsBefore(text, /"(\w+)",\n/);
  const facts = commentsBefore(text, /(\w+)\?: /);
  const properties = commentsBefore(text, /get (\w+)\(\)/);
  const getters = Object.entries(Object.getOwnPropertyDescriptors(AgentServerError.prototype))
    .filter(([, descriptor]) => descriptor.get !== undefined)
    .map(([name]) => name);
  return [
    "## Codes",
    table(["code", "meaning"], errorCodes, (code) => [
      `[\`${code}\`](../errors.md#${code})`,
      commentOf(codes, code),
    ]),
    "## Facts",
    table(["fact", "meaning"], [...facts.keys()], (name) => [`\`${name}\``, commentOf(facts, name)]),
    "## Properties",
    table(["property", "meaning"], getters, (name) => [`\`${name}\``, commentOf(properties, name)]),
  ];
}

/** Returns the doc comments before declarations that match, keyed by the name in the first group. */
function commentsBefore(text: string, declaration: RegExp): Map<string, string> {
  const pattern = new RegExp(String.raw`/\*\*((?:(?!\*/)[^])*)\*/\s*${declaration.source}`, "g");
  return new Map(
    [...text.matchAll(pattern)].map(([, comment, name]) => [
      name!,
      comment!
        .replace(/^\s*\*\s?/gm, "")
        .replace(/\s+/g, " ")
        .trim(),
    ]),
  );
}

function commentOf(comments: ReadonlyMap<string, string>, name: string): string {
  const comment = comments.get(name);
  if (comment === undefined) throw new Error(`${source} has no doc comment for ${name}.`);
  return escapeText(comment);
}

function table(header: string[], names: readonly string[], rowOf: (name: string) => string[]): string {
  const rows = [header, header.map(() => "---"), ...names.map(rowOf)];
  return rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
