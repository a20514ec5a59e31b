import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../repository";

/** Where the figures of the last long run are kept, one file a suite. */
export const figuresFolder = join(repositoryRoot, "docs", "figures");

/** What a suite has counted. */
export type Figures = Record<string, number | string>;

/** The figures of the last long run by suite. */
export function lastFigures(folder = figuresFolder): Record<string, Figures> {
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return Object.fromEntries(
    files.map((file) => [
      file.replace(/\.json$/, ""),
      JSON.parse(readFileSync(join(folder, file), "utf8")) as Figures,
    ]),
  );
}
