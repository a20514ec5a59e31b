import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fc } from "../../properties";
import { isLongRun, recordFigures } from "../figures";
import { histories, type History } from "./histories/history";
import { figures, forgetPlanes, run } from "./histories/run";

const folder = join(__dirname, "histories", "cases");
const kept = readdirSync(folder).filter((file) => file.endsWith(".json"));
const runs = Number(process.env["AGENTSERVER_HISTORIES"] ?? (isLongRun ? 4_000 : 180));
const limitMs = (isLongRun ? 60 : 5) * 60_000;

afterEach(forgetPlanes);
afterAll(() => recordFigures("deployment-histories", figures));

test.each(kept)("fulfills every guarantee that was once violated: %s", async (file) => {
  const { history } = JSON.parse(readFileSync(join(folder, file), "utf8")) as { history: History };
  await run(history);
});

test.each(["interface", "langsmith"] as const)(
  "fulfills every guarantee for a deployment in any history (%s)",
  async (dialect) => {
    const found = await fc.check(
      fc.asyncProperty(histories(dialect), (history) => run(history)),
      { numRuns: runs, interruptAfterTimeLimit: limitMs * 0.8 },
    );
    if (!found.failed) return;
    const [history] = found.counterexample ?? [];
    throw new Error(
      `Keep this in tests/reliability/model/histories/cases and fix its cause (AGENTSERVER_SEED=${found.seed}):\n${JSON.stringify({ was: "…", history }, null, 2)}`,
      { cause: found.errorInstance },
    );
  },
  limitMs,
);
