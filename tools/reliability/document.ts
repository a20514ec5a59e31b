import { join } from "node:path";
import { repositoryRoot } from "../repository";
import type { Figures } from "./figures";

/** Where the promises stand. */
export const reliabilityFile = join(repositoryRoot, "docs", "reliability.md");

const block = /<!-- figures: ([\w-]+) -->\n[^]*?<!-- end -->/g;

/** The document with the figures of each suite in its place. */
export function withFigures(document: string, figures: Record<string, Figures>): string {
  return document.replace(block, (_, suite: string) =>
    [`<!-- figures: ${suite} -->`, ...linesOf(figures[suite]), "<!-- end -->"].join("\n"),
  );
}

/** The suites that have a place in the document. */
export function suitesIn(document: string): string[] {
  return [...document.matchAll(block)].map(([, suite]) => suite!);
}

function linesOf(figures: Figures | undefined): string[] {
  if (!figures) return ["", "No figures yet.", ""];
  const entries = Object.entries(figures);
  return [
    "",
    `| ${entries.map(([what]) => what).join(" | ")} |`,
    `| ${entries.map(() => "---:").join(" | ")} |`,
    `| ${entries.map(([, value]) => value).join(" | ")} |`,
    "",
  ];
}
