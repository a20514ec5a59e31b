import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { benches } from "../../../tools/performance/benches";
import {
  performanceDocument,
  performanceFile,
  readmeFile,
  withFigures,
} from "../../../tools/performance/document";
import { svgOf } from "../../../tools/performance/plot";
import { readResults, type StoredResults } from "../../../tools/performance/results";
import { repositoryRoot } from "../../../tools/repository";

const kept: StoredResults = {
  date: "2026-01-02",
  machine: "2 cores",
  tables: [{ title: "Medians", columns: ["", "seconds"], rows: [["ours", "1.00"]] }],
  plots: [
    {
      file: "time",
      title: "Time",
      x: { title: "size", scale: "log" },
      y: { title: "seconds", scale: "linear" },
      series: [
        {
          name: "ours",
          style: "line",
          points: [
            [1, 1],
            [10, 2],
          ],
        },
      ],
    },
  ],
  bounds: [
    { what: "ratio", measured: 1.1, most: 1.2 },
    { what: "seconds", measured: 9, most: 8 },
  ],
};

test("contains the results, their date and machine, and exceeded limits", () => {
  const text = performanceDocument((bench) => (bench === "fleet" ? kept : undefined));

  expect(text).toContain("## Stacks with many deployments");
  expect(text).not.toContain("## Agents");
  expect(text).toContain("`npm run bench -- fleet`, 2026-01-02: 2 cores.");
  expect(text).toContain("|  | seconds |\n| --- | --- |\n| ours | 1.00 |");
  expect(text).toContain("![Time](images/time.svg)");
  expect(text).toContain("- ratio: 1.1, at most 1.2\n");
  expect(text).toContain("- seconds: 9, at most 8, **exceeded**");
});

test("matches docs/performance.md and the plots in the repository", () => {
  expect(readFileSync(join(repositoryRoot, performanceFile), "utf8")).toBe(performanceDocument());
  for (const { name } of benches)
    for (const plot of readResults(name)?.plots ?? [])
      expect(readFileSync(join(repositoryRoot, "docs", "images", `${plot.file}.svg`), "utf8")).toBe(
        svgOf(plot),
      );
});

test("updates the figures in the README of the local control plane", () => {
  const text = "Takes <!-- bench: fleet -->2 s<!-- end -->, then <!-- bench: start -->1 s<!-- end -->.";
  const read = (bench: string) => (bench === "fleet" ? { ...kept, readme: "5 s" } : undefined);

  expect(withFigures(text, read)).toBe(
    "Takes <!-- bench: fleet -->5 s<!-- end -->, then <!-- bench: start -->1 s<!-- end -->.",
  );
  const readme = readFileSync(join(repositoryRoot, readmeFile), "utf8");
  expect(readme).toContain("<!-- bench: schemas -->");
  expect(withFigures(readme)).toBe(readme);
});

test("covers each benchmark, with results within their limits", () => {
  const folders = readdirSync(join(repositoryRoot, "bench"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

  expect(benches.map(({ name }) => name).sort()).toEqual(folders.sort());
  const bounds = benches.flatMap(({ name }) => readResults(name)?.bounds ?? []);
  expect(bounds.filter(({ measured, most }) => measured > most)).toEqual([]);
  expect(bounds.length).toBeGreaterThan(20);
});
