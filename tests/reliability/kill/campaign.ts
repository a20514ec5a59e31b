import { canariesIn } from "../../e2e/canaries";
import type { EngineRun } from "../../e2e/engine-run";
import type { World } from "../../e2e/world";
import { isLongRun } from "../figures";
import type { Fault } from "./faults";
import type { Place } from "./gate";
import { type ScenarioAction, type FoundState, Scenario, type ScenarioOptions } from "./scenario";
import { actions } from "./selection";

/** Expected result of an action without faults. */
export interface RecordedAction {
  action: ScenarioAction;
  places: Place[];
  /** Number of revisions that the action creates. */
  revisions: number;
}

/** Figures for all faults of a suite. */
export class Tally {
  scenarios = 0;
  duplicates = 0;
  orphans = 0;
  extraRevisions = 0;
  needingRepair = 0;
  /** Number of pending operations that are still in the state after the next run. */
  pendingLeft = 0;
  /** Number of runs that succeeded despite a fault. */
  survived = 0;
  /** All failures, each with the fault that caused it. */
  readonly problems: string[] = [];

  get figures(): Record<string, number | string> {
    const { scenarios, survived, duplicates, orphans, extraRevisions, needingRepair, pendingLeft } = this;
    return {
      "faults injected at": isLongRun ? "every request" : "every write",
      scenarios,
      "runs completed despite the fault": survived,
      duplicates,
      orphans,
      "pending operations that need manual repair": needingRepair,
      "pending operations left in state": pendingLeft,
      "extra revisions": extraRevisions,
    };
  }
}

/** Actions and faults of a suite. */
export interface Campaign extends ScenarioOptions {
  /** Name of the stack, unique to the suite. */
  name: string;
  faultsOf(recorded: RecordedAction): Fault[];
}

/**
 * Records the requests of each action without faults. Then runs each action with each of its faults, alternating
 * between the actions, and checks the result of the next run.
 */
export async function runCampaign(world: World, campaign: Campaign, tally: Tally): Promise<void> {
  const scenario = await Scenario.open(world, campaign.name, campaign);
  try {
    const recorded = await record(scenario);
    const faults = recorded.map((one) => campaign.faultsOf(one));
    const rounds = Math.max(...faults.map(({ length }) => length));
    for (let round = 0; round < rounds; round += 1)
      for (const [index, one] of recorded.entries()) {
        const fault = faults[index]![round];
        if (fault) await runWithFault(scenario, one, fault, tally);
        // The first and last actions of a round always run, so that the next action has everything that it requires.
        else if (one.action === "create" || one.action === "delete")
          await runWithoutFaults(scenario, one.action);
      }
  } finally {
    await scenario.close();
  }
}

/** Runs each action once without faults, and returns the expected results. The last action deletes everything. */
async function record(scenario: Scenario): Promise<RecordedAction[]> {
  const all: RecordedAction[] = [];
  await scenario.steer({ afterReads: 1 });
  for (const action of actions) {
    const before = await scenario.found();
    const places = await scenario.runAction(action);
    all.push({
      action,
      places,
      revisions: (await scenario.found()).revisions.length - before.revisions.length,
    });
  }
  return all;
}

async function runWithoutFaults(scenario: Scenario, action: ScenarioAction): Promise<void> {
  await scenario.steer("at once");
  await scenario.runAction(action);
}

/** Runs an action with one fault, followed by a run that must restore everything. */
async function runWithFault(
  scenario: Scenario,
  recorded: RecordedAction,
  fault: Fault,
  tally: Tally,
): Promise<void> {
  const { action } = recorded;
  const before = await scenario.found();
  await scenario.steer(fault.holdsRollout ? "step by step" : { afterReads: 1 });
  const faulted: EngineRun = scenario.start(action, {
    at: fault.at,
    act: (exchange) => fault.act(exchange, scenario, faulted),
  });
  await faulted.ended;
  const hit = await scenario.gate.faultOccurred();
  await fault.fix?.(scenario);

  await scenario.steer("at once");
  const refreshes = isLongRun && tally.scenarios % 2 === 1 ? ["--refresh"] : [];
  const next = scenario.startAgain(action, undefined, ...refreshes);
  await next.ended;
  const wrote = scenario.gate.seen.filter(({ request }) => !request.startsWith("GET "));

  const found = await scenario.found();
  const troubles = [
    ...(hit ? [] : ["the run never came to it"]),
    ...(faulted.code === 0 || /error: \S/.test(faulted.output) ? [] : ["the run failed without a word"]),
    ...(faulted.code === 0 && wrote.length > 0 ? [`wrote again: ${wrote[0]!.request}`] : []),
    ...(await leaks(scenario, faulted, next)),
    ...count(found, expectedOf(scenario, recorded, before), tally),
  ];
  if (next.code !== 0) {
    tally.needingRepair += 1;
    troubles.push("the next run failed");
  } else if (isLongRun && action !== "delete") {
    const preview = await scenario.stack.preview("--expect-no-changes");
    if (preview.code !== 0) troubles.push(`the preview after it sees changes: ${preview.output}`);
  }
  tally.scenarios += 1;
  if (faulted.code === 0) tally.survived += 1;
  if (troubles.length === 0) return;
  const place = `${action}, ${fault.at.request} #${fault.at.occurrence}, ${fault.manner}`;
  tally.problems.push(`${place}: ${troubles.join("; ")}\n${faulted.output}\n${next.output}`);
}

interface Expected {
  names: string[];
  revisions: number;
}

function expectedOf(scenario: Scenario, { action, revisions }: RecordedAction, before: FoundState): Expected {
  if (action === "delete") return { names: [], revisions: 0 };
  const afresh = action === "create" || action === "replace";
  return { names: [scenario.wantedName], revisions: afresh ? 1 : before.revisions.length + revisions };
}

/**
 * Compares the current deployments with the expected ones, and adds the differences to the tally. Returns them as text
 * if there are any.
 */
function count(found: FoundState, expected: Expected, tally: Tally): string[] {
  const duplicates = Math.max(0, found.marked - 1, found.names.length - 1);
  const orphans = found.unknownToState.length;
  const extra = Math.max(0, found.revisions.length - expected.revisions);
  tally.duplicates += duplicates;
  tally.orphans += orphans;
  tally.extraRevisions += extra;
  tally.pendingLeft += found.pending;
  const settled = found.revisions.every((status) => status === "DEPLOYED");
  const asAsked =
    found.names.join() === expected.names.join() && found.revisions.length === expected.revisions && settled;
  const counts = `${duplicates} duplicates, ${orphans} orphans, ${extra} revisions too many`;
  return asAsked && duplicates + orphans === 0 ? [] : [`${counts}; there is ${JSON.stringify(found)}`];
}

/** Returns the canaries in the output of all of these runs. */
async function leaks(scenario: Scenario, ...runs: EngineRun[]): Promise<string[]> {
  const shown = (await Promise.all(runs.map((run) => scenario.shown(run)))).flat();
  return [...new Set(shown.flatMap(canariesIn))].map((name) => `gives ${name} away`);
}
