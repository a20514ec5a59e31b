import { World } from "../../e2e/world";
import { isLongRun, recordFigures } from "../figures";
import { cutReplies, type Blow } from "./blows";
import { record, type Recorded, strikeAll, Tally } from "./campaign";
import { Lane, type LaneOptions } from "./lane";
import { deeds, lastRead, writesOf } from "./selection";

jest.setTimeout(isLongRun ? 3_600_000 : 300_000);

const seed = 20_260;
const tally = new Tally();
let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.end());

/** The answers to all requests, or only to those that weigh most. */
function blowsOf({ deed, places }: Recorded): Blow[] {
  const own = seed + deeds.indexOf(deed);
  return isLongRun
    ? cutReplies(places, 4, own)
    : [...cutReplies(writesOf(places), 2, own), ...cutReplies(lastRead(places), 1, own)];
}

async function strike(name: string, options: LaneOptions): Promise<void> {
  const lane = await Lane.open(world, name, options);
  try {
    await strikeAll(lane, await record(lane, deeds), blowsOf, tally);
  } finally {
    await lane.close();
  }
}

test("an answer that breaks off anywhere ends the run with a word or not at all, and the next one settles all", async () => {
  await strike("interface", { dialect: "interface" });
  if (isLongRun) await strike("langsmith", { dialect: "langsmith" });

  recordFigures("replies-cut", { seed, ...tally.figures });
  expect(tally.troubles).toEqual([]);
  expect(tally.scenarios).toBeGreaterThan(0);
});
