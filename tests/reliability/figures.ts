import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** True in the full test run: `npm run test:long`. */
export const isLongRun = process.env.AGENTSERVER_LONG_RUN === "1";

/**
 * Prints the figures of a suite and, in a full test run, stores them for `docs/reliability.md`.
 * @param suite name of the file where they are stored
 */
export function recordFigures(suite: string, figures: Record<string, number | string>): void {
  const shown = Object.entries(figures).map(([what, value]) => `${what}: ${value}`);
  process.stdout.write(`${suite}: ${shown.join(", ")}\n`);
  const folder = process.env.AGENTSERVER_FIGURES;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  const piece = process.env.AGENTSERVER_PIECE;
  writeFileSync(
    join(folder, piece ? `${suite}.${piece}.json` : `${suite}.json`),
    `${JSON.stringify(figures, null, 2)}\n`,
  );
}
