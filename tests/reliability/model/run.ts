import { conclude } from "./conclude";
import { counts } from "./counts";
import { Play } from "./play";
import type { Sequence } from "./sequence/sequence";
import { Stage } from "./world/stage";

/** Runs a sequence from an empty control plane to one without its deployments. @throws where a promise is broken */
export async function run(sequence: Sequence): Promise<void> {
  const stage = await Stage.start(sequence);
  try {
    const play = new Play(stage, sequence.server);
    for (const step of sequence.steps) await play.take(step);
    await conclude(play);
    counts.sequences += 1;
  } finally {
    await stage.end();
  }
}
