import { World } from "../../e2e/world";
import { isLongRun, recordFigures } from "../figures";
import { planeOutages, killsDuringWait, planeKills, type Fault } from "./faults";
import { type Campaign, type RecordedAction, runCampaign, Tally } from "./campaign";
import { lastRead, uncertainWrites, resumableImmediately, writesOf } from "./selection";

jest.setTimeout(isLongRun ? 3 * 3_600_000 : 900_000);

const tally = new Tally();
let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.end());

/** Returns faults before and after every request. */
function all({ places }: RecordedAction): Fault[] {
  return [...planeKills(places), ...killsDuringWait(places, "plane")];
}

/** Returns the most important faults: those at writes, before the last read, and during the wait. */
function most({ places }: RecordedAction): Fault[] {
  const last = planeKills(lastRead(places)).slice(0, 1);
  return [...planeKills(writesOf(places)), ...last, ...killsDuringWait(places, "plane")];
}

/** Returns the faults that are selected for an ordinary test run. */
function some({ places }: RecordedAction): Fault[] {
  return [...uncertainWrites(planeKills(writesOf(places))), ...killsDuringWait(places, "plane").slice(0, 1)];
}

/**
 * Returns faults at writes and at the last read. After each fault, the control plane is not restarted until the run has
 * finished.
 */
function absences({ places }: RecordedAction): Fault[] {
  return planeOutages([...writesOf(places), ...lastRead(places)]);
}

/** Returns the faults after which the next run can immediately resume a deployment from a local folder. */
function ofFolder(recorded: RecordedAction): Fault[] {
  return resumableImmediately(recorded, planeKills);
}

const folder: Campaign = { name: "folder", dialect: "langsmith", source: "folder", faultsOf: ofFolder };
const campaigns: [string, Campaign][] = [
  ["in the interface dialect", { name: "killed", faultsOf: isLongRun ? all : some }],
  ["in the langsmith dialect", { name: "langsmith", dialect: "langsmith", faultsOf: most }],
  ["with a folder as the source", folder],
  ["without a restart", { name: "absent", timeout: "5s", faultsOf: absences }],
];

test.each(isLongRun ? campaigns : campaigns.slice(0, 1))(
  "restores everything in the next run after the control plane was killed, %s",
  async (_, campaign) => {
    await runCampaign(world, campaign, tally);
    expect(tally.problems).toEqual([]);
    expect(tally.scenarios).toBeGreaterThan(0);
  },
);

afterAll(() => recordFigures("control-plane-killed", tally.figures));
