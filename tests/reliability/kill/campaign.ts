import { canariesIn } from "../../e2e/canaries";
import type { EngineRun } from "../../e2e/engine-run";
import type { World } from "../../e2e/world";
import { isLongRun } from "../figures";
import type { Blow } from "./blows";
import type { Place } from "./gate";
import { type Deed, type Found, Lane, type LaneOptions } from "./lane";
import { deeds } from "./selection";

/** Expected result of an action without faults. */
export interface Recorded {
  deed: Deed;
  places: Place[];
  /** Number of revisions that it creates. */
  revisions: number;
}

/** Figures of all faults of a suite. */
export class Tally {
  scenarios = 0;
  duplicates = 0;
  orphans = 0;
  extraRevisions = 0;
  needingAHand = 0;
  /** Pending operations that are still in state after the next run. */
  notesLeft = 0;
  /** Runs with a fault that completed successfully. */
  survived = 0;
  /** All failures, each with its fault. */
  readonly troubles: string[] = [];

  get figures(): Record<string, number | string> {
    const { scenarios, survived, duplicates, orphans, extraRevisions, needingAHand, notesLeft } = this;
    return {
      "faults injected at": isLongRun ? "every request" : "every write",
      scenarios,
      "completed runs": survived,
      duplicates,
      orphans,
      "pending operations that need manual repair": needingAHand,
      "pending operations left in state": notesLeft,
      "extra revisions": extraRevisions,
    };
  }
}

/** Actions and faults to try. */
export interface Campaign extends LaneOptions {
  /** Name of the stack, unique to the suite. */
  name: string;
  blowsOf(recorded: Recorded): Blow[];
}

/**
 * Records the requests of each action without faults. Then runs each action with each of its faults, alternating
 * between actions, and checks the result of the next run.
 */
export async function strikeAll(world: World, campaign: Campaign, tally: Tally): Promise<void> {
  const lane = await Lane.open(world, campaign.name, campaign);
  try {
    const recorded = await record(lane);
    const blows = recorded.map((one) => campaign.blowsOf(one));
    const rounds = Math.max(...blows.map(({ length }) => length));
    for (let round = 0; round < rounds; round += 1)
      for (const [index, one] of recorded.entries()) {
        const blow = blows[index]![round];
        if (blow) await endure(lane, one, blow, tally);
        // What stands at the ends of a round has to happen for the next blow to have something to strike.
        else if (one.deed === "create" || one.deed === "delete") await calm(lane, one.deed);
      }
  } finally {
    await lane.close();
  }
}

/** Runs each action once without faults, and deletes everything. */
async function record(lane: Lane): Promise<Recorded[]> {
  const all: Recorded[] = [];
  await lane.steer({ afterReads: 1 });
  for (const deed of deeds) {
    const before = await lane.found();
    const places = await lane.accomplish(deed);
    all.push({ deed, places, revisions: (await lane.found()).revisions.length - before.revisions.length });
  }
  return all;
}

async function calm(lane: Lane, deed: Deed): Promise<void> {
  await lane.steer("at once");
  await lane.accomplish(deed);
}

/** Runs an action with one fault, and then a run that must restore everything. */
async function endure(lane: Lane, recorded: Recorded, blow: Blow, tally: Tally): Promise<void> {
  const { deed } = recorded;
  const before = await lane.found();
  await lane.steer(blow.holdsRollout ? "step by step" : { afterReads: 1 });
  const struck: EngineRun = lane.start(deed, {
    at: blow.at,
    act: (exchange) => blow.act(exchange, lane, struck),
  });
  await struck.ended;
  const hit = await lane.gate.hasStruck();
  await blow.fix?.(lane);

  await lane.steer("at once");
  const refreshes = isLongRun && tally.scenarios % 2 === 1 ? ["--refresh"] : [];
  const next = lane.startAgain(deed, undefined, ...refreshes);
  await next.ended;
  const wrote = lane.gate.seen.filter(({ request }) => !request.startsWith("GET "));

  const found = await lane.found();
  const troubles = [
    ...(hit ? [] : ["the run never came to it"]),
    ...(struck.code === 0 || /error: \S/.test(struck.output) ? [] : ["the run failed without a word"]),
    ...(struck.code === 0 && wrote.length > 0 ? [`wrote again: ${wrote[0]!.request}`] : []),
    ...(await leaks(lane, struck, next)),
    ...count(found, expectedOf(lane, recorded, before), tally),
  ];
  if (next.code !== 0) {
    tally.needingAHand += 1;
    troubles.push("the next run failed");
  } else if (isLongRun && deed !== "delete") {
    const preview = await lane.stack.preview("--expect-no-changes");
    if (preview.code !== 0) troubles.push(`the preview after it sees changes: ${preview.output}`);
  }
  tally.scenarios += 1;
  if (struck.code === 0) tally.survived += 1;
  if (troubles.length === 0) return;
  const place = `${deed}, ${blow.at.request} #${blow.at.occurrence}, ${blow.manner}`;
  tally.troubles.push(`${place}: ${troubles.join("; ")}\n${struck.output}\n${next.output}`);
}

interface Expected {
  names: string[];
  revisions: number;
}

function expectedOf(lane: Lane, { deed, revisions }: Recorded, before: Found): Expected {
  if (deed === "delete") return { names: [], revisions: 0 };
  const afresh = deed === "create" || deed === "replace";
  return { names: [lane.wantedName], revisions: afresh ? 1 : before.revisions.length + revisions };
}

/** Compares the current deployments with the expected ones. */
function count(found: Found, expected: Expected, tally: Tally): string[] {
  const duplicates = Math.max(0, found.marked - 1, found.names.length - 1);
  const orphans = found.unknownToState.length;
  const extra = Math.max(0, found.revisions.length - expected.revisions);
  tally.duplicates += duplicates;
  tally.orphans += orphans;
  tally.extraRevisions += extra;
  tally.notesLeft += found.pending;
  const settled = found.revisions.every((status) => status === "DEPLOYED");
  const asAsked =
    found.names.join() === expected.names.join() && found.revisions.length === expected.revisions && settled;
  const counts = `${duplicates} duplicates, ${orphans} orphans, ${extra} revisions too many`;
  return asAsked && duplicates + orphans === 0 ? [] : [`${counts}; there is ${JSON.stringify(found)}`];
}

/** Returns the canaries in all outputs of these runs. */
async function leaks(lane: Lane, ...runs: EngineRun[]): Promise<string[]> {
  const shown = (await Promise.all(runs.map((run) => lane.shown(run)))).flat();
  return [...new Set(shown.flatMap(canariesIn))].map((name) => `gives ${name} away`);
}
