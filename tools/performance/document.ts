import { benches, type Bench } from "./benches";
import { type StoredResults, readResults, type Bound, type Table } from "./results";

/** Path of the document in the repository. */
export const performanceFile = "docs/performance.md";

/** Path of the README that contains benchmark figures. */
export const readmeFile = "emulator/README.md";

/** Creates `docs/performance.md` from the last results of the benchmarks. */
export function performanceDocument(
  read: (bench: string) => StoredResults | undefined = readResults,
): string {
  const sections = benches.flatMap((bench) => {
    const results = read(bench.name);
    return results ? [sectionOf(bench, results)] : [];
  });
  return `# Performance

\`npm run bench\` runs all benchmarks and generates this page. \`npm run bench -- <name>\` runs one of them. Ratios compare
measurements from the same run and are comparable across machines. Absolute times apply only to the specified machine.

${sections.join("\n")}`;
}

/** Returns the README of the local control plane with updated figures. */
export function withFigures(
  readme: string,
  read: (bench: string) => StoredResults | undefined = readResults,
): string {
  return readme.replace(/<!-- bench: ([\w-]+) -->[^]*?<!-- end -->/g, (block, bench: string) => {
    const figures = read(bench)?.readme;
    return figures === undefined ? block : `<!-- bench: ${bench} -->${figures}<!-- end -->`;
  });
}

function sectionOf({ name, title, about }: Bench, results: StoredResults): string {
  const { bounds = [], date, machine, plots = [], tables } = results;
  return [
    `## ${title}`,
    about,
    `\`npm run bench -- ${name}\`, ${date}: ${machine}.`,
    ...tables.map(tableText),
    ...plots.map((plot) => `![${plot.title}](images/${plot.file}.svg)`),
    ...(bounds.length > 0 ? [boundsText(bounds)] : []),
  ]
    .map((part) => `${part}\n`)
    .join("\n");
}

function tableText({ title, columns, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [`${title}:`, "", line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n");
}

function boundsText(bounds: readonly Bound[]): string {
  const lines = bounds.map(
    ({ what, measured, most }) =>
      `- ${what}: ${measured}, at most ${most}${measured <= most ? "" : ", **exceeded**"}`,
  );
  return ["The benchmark fails if one of these bounds is exceeded:", "", ...lines].join("\n");
}
