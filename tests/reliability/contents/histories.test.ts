import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fc } from "../../properties";
import { isLongRun, recordFigures } from "../figures";
import { counts, Play } from "./play";
import { playWithFault } from "./faulted";
import { type Scenario, scenarios, transitions } from "./scenario";
import { faults, type Kind } from "./world";

const kinds: Kind[] = ["assistant", "cron", "thread", "storeItem", "storeItems"];

const folder = join(__dirname, "cases");
const kept = readdirSync(folder).filter((file) => file.endsWith(".json"));

const runs = Number(process.env["AGENTSERVER_HISTORIES"] ?? (isLongRun ? 2_000 : 200));

jest.setTimeout(isLongRun ? 1_800_000 : 300_000);
afterAll(() => recordFigures("contents-histories", counts));

test.each(kept)("fulfills every guarantee that was once violated: %s", async (file) => {
  const { scenario } = JSON.parse(readFileSync(join(folder, file), "utf8")) as { scenario: Scenario };
  await new Play(scenario).run();
});

test.each(kinds)("fulfills its guarantees in every history: %s", async (kind) => {
  const found = await fc.check(
    fc.asyncProperty(scenarios(kind), (scenario: Scenario) => new Play(scenario).run()),
    { numRuns: runs },
  );
  if (!found.failed) return;
  const [scenario] = found.counterexample ?? [];
  throw new Error(
    `Keep this in tests/reliability/contents/cases and fix its cause (AGENTSERVER_SEED=${found.seed}):\n${JSON.stringify({ was: "…", scenario }, null, 2)}`,
    { cause: found.errorInstance },
  );
});

describe.each(kinds)("a fault at any request (%s)", (kind) => {
  test.each(transitions(kind))("is repaired by the next commands: %s", async (_, from, to) => {
    // Killing the process before a request is equivalent to killing it after the previous one.
    for (const how of isLongRun ? faults : (["killed after", "lost"] as const)) {
      const isOver = async (at: number) => !(await playWithFault(kind, from, to, { at, how }));
      for (let at = 1; !(await isOver(at)); at += 1) expect(at).toBeLessThan(60);
    }
  });
});
