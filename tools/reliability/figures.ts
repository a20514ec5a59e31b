import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../repository";

/** Folder with the figures of the latest full test run: one file per suite, or several if the suite is run in parts. */
export const figuresFolder = join(repositoryRoot, "docs", "figures");

/** Figures of a suite, keyed by name. */
export type Figures = Record<string, number | string>;

/** Returns the figures of the latest full test run, by suite. */
export function lastFigures(folder = figuresFolder): Record<string, Figures> {
  if (!existsSync(folder)) return {};
  const suites: Record<string, Figures> = {};
  for (const file of readdirSync(folder).sort()) {
    const [suite = ""] = file.split(".");
    const figures = JSON.parse(readFileSync(join(folder, file), "utf8")) as Figures;
    suites[suite] = suites[suite] ? mergeFigures(suites[suite], figures) : figures;
  }
  return suites;
}

/** Merges the figures of two pieces of a suite: adds up counts, and lists other values. */
function mergeFigures(one: Figures, other: Figures): Figures {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(names.map((name) => [name, mergeValues(name, one[name], other[name])]));
}

function mergeValues(name: string, one: Figures[string] | undefined, other: Figures[string] | undefined) {
  if (one === undefined || other === undefined) return (one ?? other)!;
  if (typeof one === "number" && typeof other === "number")
    return name.startsWith("maximum ") ? Math.max(one, other) : one + other;
  return one === other ? one : `${one}, ${other}`;
}
