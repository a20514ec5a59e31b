import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "../repository";

/** A table of measured values, as texts. */
export interface Table {
  title: string;
  columns: string[];
  rows: string[][];
}

/** Lines or points in one picture. */
export interface Plot {
  /** The name of its file, without an ending. */
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

/** What a value must not exceed. */
export interface Bound {
  what: string;
  measured: number;
  most: number;
}

/** What one benchmark came to. */
export interface Results {
  tables: Table[];
  plots?: Plot[];
  bounds?: Bound[];
  /** Figures that the README of the local control plane states. */
  readme?: string;
}

/** Results as they are kept: with the day and the machine. */
export interface KeptResults extends Results {
  date: string;
  machine: string;
}

function fileOf(bench: string): string {
  return join(repositoryRoot, "bench", bench, "results.json");
}

/**
 * Keeps what a benchmark came to, prints its tables, and says which bounds do not hold.
 * @returns the code to exit with
 */
export function keepResults(bench: string, results: Results): number {
  const kept: KeptResults = { date: new Date().toISOString().slice(0, 10), machine: machine(), ...results };
  writeFileSync(fileOf(bench), `${JSON.stringify(kept, undefined, 2)}\n`);
  for (const { title, columns, rows } of results.tables)
    console.log([title, columns.join(" | "), ...rows.map((row) => row.join(" | ")), ""].join("\n"));
  const broken = (results.bounds ?? []).filter(({ measured, most }) => !(measured <= most));
  for (const { what, measured, most } of broken) console.error(`${what}: ${measured}, more than ${most}.`);
  return broken.length > 0 ? 1 : 0;
}

/** What is kept of a benchmark; nothing before it has run. */
export function readResults(bench: string): KeptResults | undefined {
  return existsSync(fileOf(bench))
    ? (JSON.parse(readFileSync(fileOf(bench), "utf8")) as KeptResults)
    : undefined;
}

function machine(): string {
  return `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
}
