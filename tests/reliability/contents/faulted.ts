import { counts, Play } from "./play";
import type { Program } from "./scenario";
import type { Fault, Kind } from "./world";

/** Plays a transition with a fault. Resolves with true if the fault was applied to a request. */
export async function playWithFault(
  kind: Kind,
  from: Program | undefined,
  to: Program | undefined,
  fault: Fault,
): Promise<boolean> {
  const start = from ?? to!;
  const first = from === undefined ? [] : [{ do: "up" as const, who: 0 as const, change: {} }];
  const second =
    to === undefined
      ? { do: "destroy" as const, who: 0 as const, fault }
      : { do: "up" as const, who: 0 as const, change: to, fault };
  const before = counts.faults + counts.kills;
  const play = new Play({ kind, contested: false, programs: [start, start], actions: [...first, second] });
  await play.run().catch((error: unknown) => {
    if (error instanceof Error) error.message = `${fault.how} at request ${fault.at}: ${error.message}`;
    throw error;
  });
  return counts.faults + counts.kills > before;
}
