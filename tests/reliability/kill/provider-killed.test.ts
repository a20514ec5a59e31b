import { World } from "../../e2e/world";
import { isLongRun, recordFigures } from "../figures";
import { killsInTheWait, killsOfProvider, type Blow } from "./blows";
import { type Campaign, type Recorded, strikeAll, Tally } from "./campaign";
import { lastRead, mostDoubtful, takenUpAtOnce, writesOf } from "./selection";

jest.setTimeout(isLongRun ? 3 * 3_600_000 : 900_000);

const tally = new Tally();
let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.end());

/** Each boundary of each request. */
function all({ places }: Recorded): Blow[] {
  return [...killsOfProvider(places), ...killsInTheWait(places, "provider")];
}

/** The most important boundaries: those of writes, the last response, and during the wait. */
function most({ places }: Recorded): Blow[] {
  const last = killsOfProvider(lastRead(places)).slice(-1);
  return [...killsOfProvider(writesOf(places)), ...last, ...killsInTheWait(places, "provider")];
}

/** The selection for a complete test run. */
function some({ places }: Recorded): Blow[] {
  const waits = killsInTheWait(places, "provider").slice(0, 1);
  return [...mostDoubtful(killsOfProvider([...writesOf(places), ...lastRead(places)])), ...waits];
}

/** A folder that is sent: the same, and the requests between its upload and its revision. */
function ofFolder(recorded: Recorded): Blow[] {
  const blows = takenUpAtOnce(recorded, killsOfProvider);
  return isLongRun ? blows : mostDoubtful(blows);
}

const folder: Campaign = { name: "folder", dialect: "langsmith", source: "folder", blowsOf: ofFolder };
const campaigns: [string, Campaign][] = [
  ["in interface", { name: "killed", blowsOf: isLongRun ? all : some }],
  ["with a folder as the source", folder],
  ["in langsmith", { name: "langsmith", dialect: "langsmith", blowsOf: most }],
];

test.each(isLongRun ? campaigns : campaigns.slice(0, 2))(
  "restores everything in the next run after the provider was killed, %s",
  async (_, campaign) => {
    await strikeAll(world, campaign, tally);
    expect(tally.troubles).toEqual([]);
    expect(tally.scenarios).toBeGreaterThan(0);
  },
);

afterAll(() => recordFigures("provider-killed", tally.figures));
