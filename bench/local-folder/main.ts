import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { storeResults } from "../../tools/performance/results";
import { readLocalSource } from "../../provider/local-source/contents";
import { median } from "../median";

const files = 5_000;
const bytesOfAll = 100 * 1024 * 1024;
const rounds = 5;
/** Maximum ratio of the duration of reading a folder to that of hashing its files alone. */
const mostTimes = 2;

interface Measured {
  seconds: number;
  /** Maximum time for which the event loop is blocked, in milliseconds. */
  longestBlock: number;
}

void main();

/**
 * Alternates between reading a folder in the same way as a preview and only hashing its files, and compares the
 * durations.
 */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "agentserver-folder-"));
  try {
    fill(folder);
    const ours: Measured[] = [];
    const bare: Measured[] = [];
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await measured(() => hashEach(folder)));
      ours.push(await measured(() => readLocalSource(folder, "langgraph.json")));
    }
    const ratio = Math.round((100 * medianOf(ours, "seconds")) / medianOf(bare, "seconds")) / 100;
    process.exitCode = storeResults("local-folder", {
      tables: [
        {
          title: `${files} files, ${bytesOfAll / 2 ** 20} MiB, medians of ${rounds} rounds`,
          columns: ["", "seconds", "longest event loop block, ms"],
          rows: [
            ["hashing each file", ...figures(bare)],
            ["reading the source for a preview", ...figures(ours)],
          ],
        },
      ],
      bounds: [{ what: "ratio of reading to hashing", measured: ratio, most: mostTimes }],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function fill(folder: string): void {
  writeFileSync(join(folder, "langgraph.json"), '{"graphs": {"agent": "./graph.ts:graph"}}');
  const size = Math.round(bytesOfAll / files);
  for (let index = 0; index < files; index += 1) {
    const inner = join(folder, `part-${index % 50}`);
    mkdirSync(inner, { recursive: true });
    writeFileSync(join(inner, `file-${index}.txt`), randomBytes(size));
  }
}

async function hashEach(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries)
    if (entry.isFile())
      createHash("sha256")
        .update(await readFile(join(entry.parentPath, entry.name)))
        .digest("hex");
}

async function measured(work: () => Promise<unknown>): Promise<Measured> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1_000;
  delay.disable();
  return { seconds, longestBlock: delay.max / 1e6 };
}

function figures(all: readonly Measured[]): string[] {
  return [medianOf(all, "seconds").toFixed(2), medianOf(all, "longestBlock").toFixed(0)];
}

function medianOf(all: readonly Measured[], figure: keyof Measured): number {
  return median(all.map((one) => one[figure]));
}
