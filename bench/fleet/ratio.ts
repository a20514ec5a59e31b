import { join } from "node:path";
import { startControlPlane } from "../../emulator/index";
import { ensureEngine } from "../../tools/dev-engine/ensure";
import { declareIdle, declareReal, writeIdleProvider } from "./baseline";
import { type Stopwatch, stopwatchOf } from "./stopwatch";

/**
 * Durations of a command for the stack with real deployments and the stack with the idle provider, in seconds, in the
 * order of the rounds.
 */
interface Pair {
  real: number[];
  idle: number[];
}

/**
 * Compares a stack with this number of deployments to the same stack with the idle provider. Returns the durations by
 * command, and the sizes of the states.
 */
export async function ratios(
  folder: string,
  size: number,
  parallel: number,
  rounds: number,
): Promise<{ seconds: Map<string, Pair>; stateKibibytes: Record<"real" | "idle", number> }> {
  const plane = await startControlPlane();
  // Rollouts end immediately, so that the durations do not include any waiting.
  plane.admin.steer({ pace: "at once" });
  const engine = await ensureEngine();
  const seconds = new Map<string, Pair>();
  const stateKibibytes = { real: 0, idle: 0 };
  try {
    const sides = (["real", "idle"] as const).map((name) => {
      const project = join(folder, `ratio-${size}-${name}`);
      const declare = name === "real" ? declareReal : declareIdle;
      return { name, project, declare, watch: stopwatchOf(project, engine, plane) };
    });
    const apply = ["--yes", "--skip-preview", `--parallel=${parallel}`];
    const [real] = sides as [(typeof sides)[0], (typeof sides)[0]];
    for (const { project, declare, watch } of sides) {
      declare(project, 1, "v1");
      await watch.run("stack", "init", "fleet");
    }
    // The idle provider returns the outputs of a real deployment.
    await real.watch.run("up", ...apply);
    writeIdleProvider(join(folder, "node_modules"), await outputsOfOne(real.watch));
    await real.watch.run("destroy", ...apply);
    for (let round = 0; round < rounds; round += 1) {
      const both = async (what: string, ...args: [string, ...string[]]) => {
        const pair = seconds.get(what) ?? { real: [], idle: [] };
        seconds.set(what, pair);
        for (const { name, watch } of round % 2 === 0 ? sides : [...sides].reverse())
          pair[name].push((await watch.run(...args)).seconds);
      };
      for (const { project, declare } of sides) declare(project, size, "v1");
      await both("`up`, all created", "up", ...apply);
      await both("preview, no changes", "preview", `--parallel=${parallel}`);
      await both("`up`, no changes", "up", ...apply);
      for (const { project, declare } of sides) declare(project, size, "v2");
      await both("`up`, all changed", "up", ...apply);
      for (const { name, watch } of sides)
        stateKibibytes[name] = Math.round((await watch.state()).length / 1024);
      await both("`destroy`", "destroy", ...apply);
    }
    return { seconds, stateKibibytes };
  } finally {
    await plane.close();
  }
}

/** Returns the outputs of the first deployment of a stack. */
async function outputsOfOne(watch: Stopwatch): Promise<object> {
  const { deployment } = JSON.parse(await watch.state()) as {
    deployment: { resources: { outputs?: Record<string, unknown> }[] };
  };
  const { outputs } = deployment.resources.find((one) => one.outputs?.["latestRevisionId"])!;
  const { __call: _call, __provider: _provider, ...rest } = outputs!;
  return rest;
}
