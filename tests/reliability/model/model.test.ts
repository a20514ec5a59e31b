import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fc } from "../../properties";
import { isLongRun, recordFigures } from "../figures";
import { counts } from "./counts";
import { run } from "./run";
import { sequences, type Sequence } from "./sequence/sequence";

const folder = join(__dirname, "cases");
const kept = readdirSync(folder).filter((file) => file.endsWith(".json"));

/** A sequence that violated a guarantee in the past, with its description. */
interface Case {
  was: string;
  sequence: Sequence;
}

const runs = isLongRun ? 1_000 : 40;
const limitMs = (isLongRun ? 60 : 5) * 60_000;
const seeds: number[] = [];

/**
 * Derives a different seed for each dialect from the specified one. With the same seed, both dialects would play the
 * same sequences.
 */
function seedOf(place: number): { seed?: number } {
  const { seed } = fc.readConfigureGlobal();
  return seed === undefined ? {} : { seed: seed + place };
}

afterAll(() => recordFigures("model", { ...counts, seed: seeds.join(" and ") }));

for (const file of kept)
  test(`fulfills every guarantee in the regression case ${file}`, async () => {
    const { sequence } = JSON.parse(readFileSync(join(folder, file), "utf8")) as Case;
    await run(sequence);
  });

test.each([
  ["interface", 0],
  ["langsmith", 1],
] as const)(
  "creates one revision per change and reaches the desired state in any order of events (%s)",
  async (dialect, place) => {
    const found = await fc.check(
      fc.asyncProperty(sequences(dialect), (sequence) => run(sequence)),
      // A search for the shortest sequence must leave time to report the one that was found.
      { ...seedOf(place), numRuns: runs, interruptAfterTimeLimit: limitMs * 0.8 },
    );
    seeds.push(found.seed);
    if (!found.failed) return;
    const [sequence] = found.counterexample ?? [];
    const kept = JSON.stringify({ was: "…", sequence }, null, 2);
    throw new Error(
      `Keep this in tests/reliability/model/cases and fix what breaks (AGENTSERVER_SEED=${found.seed - place}):\n${kept}`,
      { cause: found.errorInstance },
    );
  },
  limitMs,
);
