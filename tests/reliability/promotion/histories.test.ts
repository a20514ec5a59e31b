import { VirtualClock } from "../../../emulator/index";
import { fc } from "../../properties";
import { isLongRun, recordFigures } from "../figures";
import { World } from "../../provider/world";
import { SimulatedAgents } from "../model/world/agents";
import { type History, histories } from "./history";
import { PluginInTime } from "./plugin-in-time";
import { figures } from "./run";
import { SeparateStacks } from "./separate-stacks";
import { SingleProgram } from "./single-program";

const runs = Number(process.env["AGENTSERVER_HISTORIES"] ?? (isLongRun ? 1_000 : 10));
const limitMs = (isLongRun ? 30 : 5) * 60_000;

jest.setTimeout(limitMs);
afterAll(() => recordFigures("promotion-histories", figures));

let plugin: PluginInTime;
beforeAll(async () => {
  plugin = await PluginInTime.start();
});
afterAll(() => plugin.close());

test.each([
  ["separate stacks", "interface", SeparateStacks, runs],
  ["separate stacks", "langsmith", SeparateStacks, runs],
  ["a single program", "interface", SingleProgram, runs / 2],
  ["a single program", "langsmith", SingleProgram, runs / 2],
] as const)(
  "promotes, in any history, only artifacts that are verified and pass the gate (%s, %s)",
  async (_, dialect, Program, numRuns) => {
    const play = async (history: History) => {
      const clock = new VirtualClock();
      const agents = new SimulatedAgents(clock, dialect === "langsmith");
      const world = await World.start({ dialect, clock, runner: agents });
      try {
        await new Program(world, agents, history, plugin).play();
      } finally {
        await world.end();
      }
    };
    const found = await fc.check(fc.asyncProperty(histories(dialect), play), {
      numRuns,
      endOnFailure: true,
      interruptAfterTimeLimit: limitMs * 0.8,
    });
    if (!found.failed) return;
    const [history] = found.counterexample ?? [];
    throw new Error(
      `Fix the cause of this history (AGENTSERVER_SEED=${found.seed}):\n${JSON.stringify(history, null, 2)}`,
      { cause: found.errorInstance },
    );
  },
);
