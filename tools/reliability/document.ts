import { join } from "node:path";
import { repositoryRoot } from "../repository";
import type { Figures } from "./figures";

/** Path of the document about reliability. */
export const reliabilityFile = join(repositoryRoot, "docs", "reliability.md");

const block = /<!-- figures: ([\w-]+) -->\n[^]*?<!-- end -->/g;

/** Replaces the figures of each suite in the document. */
export function updateFigures(document: string, figures: Record<string, Figures>): string {
  return document.replace(block, (_, suite: string) =>
    [`<!-- figures: ${suite} -->`, ...tableLines(figures[suite]), "<!-- end -->"].join("\n"),
  );
}

/** Returns the suites that are listed in the document. */
export function listedSuites(document: string): string[] {
  return [...document.matchAll(block)].map(([, suite]) => suite!);
}

function tableLines(figures: Figures | undefined): string[] {
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
