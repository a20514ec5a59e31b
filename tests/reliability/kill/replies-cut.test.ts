import { World } from "../../e2e/world";
import { isLongRun, recordFigures } from "../figures";
import { cutReplies, type Blow } from "./blows";
import { type Recorded, strikeAll, Tally } from "./campaign";
import { deeds, lastRead, writesOf } from "./selection";

jest.setTimeout(isLongRun ? 3 * 3_600_000 : 900_000);

const seed = 20_260;
const tally = new Tally();
let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.end());

/** The answers to all requests. */
function all({ deed, places }: Recorded): Blow[] {
  return cutReplies(places, 4, seed + deeds.indexOf(deed));
}

/** The answers that weigh most. */
function most({ deed, places }: Recorded): Blow[] {
  const own = seed + deeds.indexOf(deed);
  return [...cutReplies(writesOf(places), 2, own), ...cutReplies(lastRead(places), 1, own)];
}

test("an answer that breaks off anywhere ends the run with a word or not at all, and the next one settles all", async () => {
  await strikeAll(world, { name: "cut", blowsOf: isLongRun ? all : most }, tally);
  if (isLongRun) await strikeAll(world, { name: "langsmith", dialect: "langsmith", blowsOf: most }, tally);

  recordFigures("replies-cut", { seed, ...tally.figures });
  expect(tally.troubles).toEqual([]);
  expect(tally.scenarios).toBeGreaterThan(0);
});
