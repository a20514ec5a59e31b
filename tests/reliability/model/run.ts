import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { World } from "../../provider/world";
import { counts } from "./counts";
import { Play } from "./play";
import type { Sequence, Step } from "./steps";

/** Runs a sequence from an empty control plane to an empty one. @throws where a promise is broken */
export async function run(sequence: Sequence): Promise<void> {
  const { dialect, lingerSeconds, steps } = sequence;
  const state = steps.some(endsThePlane) ? mkdtempSync(join(tmpdir(), "agentserver-model-")) : undefined;
  const world = await World.start({ dialect, lingerSeconds, ...(state && { state }) });
  try {
    const play = new Play(world, sequence);
    for (const step of steps) await play.take(step);
    await play.conclude();
    counts.sequences += 1;
  } finally {
    await world.end();
    if (state) rmSync(state, { recursive: true, force: true });
  }
}

function endsThePlane(step: Step): boolean {
  return step.do === "restart" || ("mishap" in step && step.mishap?.kind === "outage");
}
