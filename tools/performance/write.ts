import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../repository";
import { benches } from "./benches";
import { performanceDocument, performanceFile, readmeFile, withFigures } from "./document";
import { svgOf } from "./plot";
import { readResults } from "./results";

/** Writes the document, its plots, and the figures in the README, based on the stored results of all benchmarks. */
export function writePerformance(): void {
  const images = join(repositoryRoot, "docs", "images");
  mkdirSync(images, { recursive: true });
  for (const { name } of benches)
    for (const plot of readResults(name)?.plots ?? [])
      writeFileSync(join(images, `${plot.file}.svg`), svgOf(plot));
  writeFileSync(join(repositoryRoot, performanceFile), performanceDocument());
  const readme = join(repositoryRoot, readmeFile);
  writeFileSync(readme, withFigures(readFileSync(readme, "utf8")));
}
