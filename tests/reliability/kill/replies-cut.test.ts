import { World } from "../../e2e/world";
import { isLongRun, recordFigures } from "../figures";
import { interruptedReplies, type Fault } from "./faults";
import { type Campaign, type RecordedAction, runCampaign, Tally } from "./campaign";
import { actions, lastRead, writesOf } from "./selection";

jest.setTimeout(isLongRun ? 3 * 3_600_000 : 900_000);

const seed = 20_260;
const tally = new Tally();
let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.end());

/** Returns faults that interrupt the responses to all requests. */
function all({ action, places }: RecordedAction): Fault[] {
  return interruptedReplies(places, 4, seed + actions.indexOf(action));
}

/** Returns faults that interrupt the most important responses. */
function most({ action, places }: RecordedAction): Fault[] {
  const own = seed + actions.indexOf(action);
  return [...interruptedReplies(writesOf(places), 2, own), ...interruptedReplies(lastRead(places), 1, own)];
}

/** Returns the faults that are selected for an ordinary test run. */
function some({ action, places }: RecordedAction): Fault[] {
  return interruptedReplies(writesOf(places), 2, seed + actions.indexOf(action));
}

/** Returns faults that interrupt the responses to the writes of a deployment from a local folder. */
function ofFolder(recorded: RecordedAction): Fault[] {
  return interruptedReplies(writesOf(recorded.places), 2, seed + actions.indexOf(recorded.action));
}

const folder: Campaign = { name: "folder", dialect: "langsmith", source: "folder", faultsOf: ofFolder };
const campaigns: [string, Campaign][] = [
  ["in the interface dialect", { name: "cut", faultsOf: isLongRun ? all : some }],
  ["in the langsmith dialect", { name: "langsmith", dialect: "langsmith", faultsOf: most }],
  ["with a folder as the source", folder],
];

test.each(isLongRun ? campaigns : campaigns.slice(0, 1))(
  "reports or ignores a response interrupted at any byte, and the next run recovers, %s",
  async (_, campaign) => {
    await runCampaign(world, campaign, tally);
    expect(tally.problems).toEqual([]);
    expect(tally.scenarios).toBeGreaterThan(0);
  },
);

afterAll(() => recordFigures("replies-cut", { seed: String(seed), ...tally.figures }));
