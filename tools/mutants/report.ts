import { readFileSync } from "node:fs";
import { z } from "zod";

const reported = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.string(),
      mutants: z.array(
        z.object({
          mutatorName: z.string(),
          replacement: z.string().optional(),
          status: z.string(),
          location: z.object({ start: z.object({ line: z.number() }) }),
        }),
      ),
    }),
  ),
});

/** What became of the mutants of one piece. */
export interface MutantReport {
  /** How many mutants ended in which way: `Killed`, `Survived`, `Timeout`, `NoCoverage`, … */
  counts: Record<string, number>;
  /** Those that no test noticed, each as `file:line mutator: line of the source → replacement`. */
  unnoticed: string[];
}

/** Reads a report in the format of mutation testing elements. */
export function readReport(file: string): MutantReport {
  const { files } = reported.parse(JSON.parse(readFileSync(file, "utf8")));
  const counts: Record<string, number> = {};
  const unnoticed: string[] = [];
  for (const [name, { source, mutants }] of Object.entries(files)) {
    const lines = source.split("\n");
    for (const { status, mutatorName, replacement = "", location } of mutants) {
      counts[status] = (counts[status] ?? 0) + 1;
      if (status !== "Survived" && status !== "NoCoverage") continue;
      const { line } = location.start;
      const original = lines[line - 1]?.trim() ?? "";
      unnoticed.push(
        `${name}:${line} ${status} ${mutatorName}: ${original} → ${replacement.replaceAll(/\s+/g, " ")}`,
      );
    }
  }
  return { counts, unnoticed };
}
