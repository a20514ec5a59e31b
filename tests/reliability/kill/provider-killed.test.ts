import { World } from "../../e2e/world";
import { isLongRun, recordFigures } from "../figures";
import { killsDuringWait, providerKills, type Fault } from "./faults";
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
  return [...providerKills(places), ...killsDuringWait(places, "provider")];
}

/** Returns the most important faults: those at writes, at the last read, and during the wait. */
function most({ places }: RecordedAction): Fault[] {
  const last = providerKills(lastRead(places)).slice(-1);
  return [...providerKills(writesOf(places)), ...last, ...killsDuringWait(places, "provider")];
}

/** Returns the faults that are selected for an ordinary test run. */
function some({ places }: RecordedAction): Fault[] {
  const waits = killsDuringWait(places, "provider").slice(0, 1);
  return [...uncertainWrites(providerKills([...writesOf(places), ...lastRead(places)])), ...waits];
}

/** Returns the faults after which the next run can immediately resume a deployment from a local folder. */
function ofFolder(recorded: RecordedAction): Fault[] {
  const faults = resumableImmediately(recorded, providerKills);
  return isLongRun ? faults : uncertainWrites(faults);
}

const folder: Campaign = { name: "folder", dialect: "langsmith", source: "folder", faultsOf: ofFolder };
const campaigns: [string, Campaign][] = [
  ["in the interface dialect", { name: "killed", faultsOf: isLongRun ? all : some }],
  ["with a folder as the source", folder],
  ["in the langsmith dialect", { name: "langsmith", dialect: "langsmith", faultsOf: most }],
];

test.each(isLongRun ? campaigns : campaigns.slice(0, 2))(
  "restores everything in the next run after the provider was killed, %s",
  async (_, campaign) => {
    await runCampaign(world, campaign, tally);
    expect(tally.problems).toEqual([]);
    expect(tally.scenarios).toBeGreaterThan(0);
  },
);

afterAll(() => recordFigures("provider-killed", tally.figures));
