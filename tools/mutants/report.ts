import { readFileSync } from "node:fs";
import { z } from "zod";

const reportSchema = z.object({
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

/** Results of the mutants of one piece. */
export interface MutantReport {
  /** Number of mutants by status: `Killed`, `Survived`, `Timeout`, `NoCoverage`, … */
  counts: Record<string, number>;
  /** Mutants that no test detected, each as `file:line mutator: source line → replacement`. */
  undetected: string[];
}

/** Reads a report in the mutation-testing-elements format. */
export function readReport(file: string): MutantReport {
  const { files } = reportSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  const counts: Record<string, number> = {};
  const undetected: string[] = [];
  for (const [name, { source, mutants }] of Object.entries(files)) {
    const lines = source.split("\n");
    for (const { status, mutatorName, replacement = "", location } of mutants) {
      counts[status] = (counts[status] ?? 0) + 1;
      if (status !== "Survived" && status !== "NoCoverage") continue;
      const { line } = location.start;
      const original = lines[line - 1]?.trim() ?? "";
      undetected.push(
        `${name}:${line} ${status} ${mutatorName}: ${original} → ${replacement.replaceAll(/\s+/g, " ")}`,
      );
    }
  }
  return { counts, undetected };
}
