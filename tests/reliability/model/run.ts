import { conclude } from "./conclude";
import { counts } from "./counts";
import { Play } from "./play";
import type { Sequence } from "./sequence/sequence";
import { Scenario } from "./world/scenario";

/**
 * Runs a sequence from an empty control plane until its deployments are deleted.
 * @throws if a guarantee is violated
 */
export async function run(sequence: Sequence): Promise<void> {
  const scenario = await Scenario.start(sequence);
  try {
    const play = new Play(scenario, sequence.server);
    for (const step of sequence.steps) await play.take(step);
    await conclude(play);
    counts.sequences += 1;
  } finally {
    await scenario.end();
  }
}
