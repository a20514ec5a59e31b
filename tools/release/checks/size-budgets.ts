import type { Artifact } from "../artifacts";

/** Maximum size of each archive in KiB, keyed by its name without the version. */
export type Budgets = Readonly<Record<string, number>>;

/** Number of bytes per KiB, the unit of the budgets. */
const bytesPerUnit = 1024;

/** Returns the archives that exceed their size budget or do not have one. */
export function sizeFaults(artifacts: readonly Artifact[], budgets: Budgets): string[] {
  return artifacts.flatMap(({ file, name, size, contents }) => {
    const budget = budgets[name];
    if (budget === undefined)
      return [`${file}: there is no budget for ${name} in tools/release/budgets.json.`];
    if (size <= budget * bytesPerUnit) return [];
    const largest = contents.toSorted((one, other) => other.size - one.size).slice(0, 3);
    const files = largest.map((one) => `${one.path} (${formatSize(one.size)})`).join(", ");
    return [
      `${file}: ${formatSize(size)} exceeds the budget of ${formatSize(budget * bytesPerUnit)}. Largest files: ${files}. Remove what is not needed, or raise the budget in tools/release/budgets.json.`,
    ];
  });
}

/** Returns a table of the archives with their sizes and budgets. */
export function sizeTable(artifacts: readonly Artifact[], budgets: Budgets): string {
  const rows = artifacts.map(({ file, name, size, contents }) => [
    file,
    formatSize(size),
    formatSize(contents.reduce((sum, one) => sum + one.size, 0)),
    String(contents.length),
    name in budgets ? `${Math.round((100 * size) / (budgets[name]! * bytesPerUnit))}%` : "",
  ]);
  const table = [["file", "size", "unpacked", "files", "of budget"], ...rows];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  return table
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
        .join("  "),
    )
    .join("\n");
}

function formatSize(bytes: number): string {
  return bytes < bytesPerUnit * bytesPerUnit
    ? `${(bytes / bytesPerUnit).toFixed(1)} KiB`
    : `${(bytes / bytesPerUnit / bytesPerUnit).toFixed(1)} MiB`;
}
