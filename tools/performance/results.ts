import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "../repository";

/** Table of measured values, formatted as text. */
export interface Table {
  title: string;
  columns: string[];
  rows: string[][];
}

/** Plot of measured values as lines or points. */
export interface Plot {
  /** Name of the plot's file without the extension. */
  file: string;
  title: string;
  x: Axis;
  y: Axis;
  series: { name: string; points: [x: number, y: number][]; style: "line" | "points" }[];
}

interface Axis {
  title: string;
  scale: "linear" | "log";
}

/** Limit for a measured value. */
export interface Bound {
  what: string;
  measured: number;
  most: number;
}

/** Results of one benchmark. */
export interface Results {
  tables: Table[];
  plots?: Plot[];
  bounds?: Bound[];
  /** Figures that the README of the local control plane contains. */
  readme?: string;
}

/** Stored results, with the date and the machine. */
export interface StoredResults extends Results {
  date: string;
  machine: string;
}

function resultsFile(bench: string): string {
  return join(repositoryRoot, "bench", bench, "results.json");
}

/**
 * Stores the results of a benchmark, prints its tables, and reports exceeded limits.
 * @returns the exit code
 */
export function storeResults(bench: string, results: Results): number {
  const stored: StoredResults = {
    date: new Date().toISOString().slice(0, 10),
    machine: machine(),
    ...results,
  };
  writeFileSync(resultsFile(bench), `${JSON.stringify(stored, undefined, 2)}\n`);
  for (const { title, columns, rows } of results.tables)
    console.log([title, columns.join(" | "), ...rows.map((row) => row.join(" | ")), ""].join("\n"));
  const exceeded = (results.bounds ?? []).filter(({ measured, most }) => !(measured <= most));
  for (const { what, measured, most } of exceeded) console.error(`${what}: ${measured}, more than ${most}.`);
  return exceeded.length > 0 ? 1 : 0;
}

/** Reads the stored results of a benchmark; `undefined` before its first run. */
export function readResults(bench: string): StoredResults | undefined {
  return existsSync(resultsFile(bench))
    ? (JSON.parse(readFileSync(resultsFile(bench), "utf8")) as StoredResults)
    : undefined;
}

function machine(): string {
  return `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
}
