import { fc } from "../../properties";
import { isLongRun, recordFigures } from "../figures";
import { histories } from "./history";
import { figures, run } from "./run";

const runs = Number(process.env["AGENTSERVER_HISTORIES"] ?? (isLongRun ? 1_000 : 10));
const limitMs = (isLongRun ? 30 : 5) * 60_000;

jest.setTimeout(limitMs);
afterAll(() => recordFigures("promotion-histories", figures));

test.each(["interface", "langsmith"] as const)(
  "promotes only what is verified and passes its gate in any history (%s)",
  async (dialect) => {
    const found = await fc.check(
      fc.asyncProperty(histories(dialect), (history) => run(history)),
      { numRuns: runs, endOnFailure: true, interruptAfterTimeLimit: limitMs * 0.8 },
    );
    if (!found.failed) return;
    const [history] = found.counterexample ?? [];
    throw new Error(
      `Fix the cause of this history (AGENTSERVER_SEED=${found.seed}):\n${JSON.stringify(history, null, 2)}`,
      { cause: found.errorInstance },
    );
  },
);
