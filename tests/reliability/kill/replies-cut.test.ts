import { World } from "../../e2e/world";
import { isLongRun, recordFigures } from "../figures";
import { cutReplies, type Blow } from "./blows";
import { type Campaign, type Recorded, strikeAll, Tally } from "./campaign";
import { deeds, lastRead, writesOf } from "./selection";

jest.setTimeout(isLongRun ? 3 * 3_600_000 : 900_000);

const seed = 20_260;
const tally = new Tally();
let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.end());

/** The responses to all requests. */
function all({ deed, places }: Recorded): Blow[] {
  return cutReplies(places, 4, seed + deeds.indexOf(deed));
}

/** The most important responses. */
function most({ deed, places }: Recorded): Blow[] {
  const own = seed + deeds.indexOf(deed);
  return [...cutReplies(writesOf(places), 2, own), ...cutReplies(lastRead(places), 1, own)];
}

/** The selection for a complete test run. */
function some({ deed, places }: Recorded): Blow[] {
  return cutReplies(writesOf(places), 2, seed + deeds.indexOf(deed));
}

/** A folder that is sent: the responses to its requests. */
function ofFolder(recorded: Recorded): Blow[] {
  return cutReplies(writesOf(recorded.places), 2, seed + deeds.indexOf(recorded.deed));
}

const folder: Campaign = { name: "folder", dialect: "langsmith", source: "folder", blowsOf: ofFolder };
const campaigns: [string, Campaign][] = [
  ["in interface", { name: "cut", blowsOf: isLongRun ? all : some }],
  ["in langsmith", { name: "langsmith", dialect: "langsmith", blowsOf: most }],
  ["with a folder as the source", folder],
];

test.each(isLongRun ? campaigns : campaigns.slice(0, 1))(
  "reports a response interrupted at any byte or ignores it, and the next run settles, %s",
  async (_, campaign) => {
    await strikeAll(world, campaign, tally);
    expect(tally.troubles).toEqual([]);
    expect(tally.scenarios).toBeGreaterThan(0);
  },
);

afterAll(() => recordFigures("replies-cut", { seed: String(seed), ...tally.figures }));
