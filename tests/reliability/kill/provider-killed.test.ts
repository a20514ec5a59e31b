import { World } from "../../e2e/world";
import { isLongRun, recordFigures } from "../figures";
import { killsInTheWait, killsOfProvider, type Blow } from "./blows";
import { type Recorded, strikeAll, Tally } from "./campaign";
import { lastRead, writesOf } from "./selection";

jest.setTimeout(isLongRun ? 3 * 3_600_000 : 900_000);

const tally = new Tally();
let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.end());

/** Every boundary of every request. */
function all({ places }: Recorded): Blow[] {
  return [...killsOfProvider(places), ...killsInTheWait(places, "provider")];
}

/** What weighs most: every boundary of what writes, the last answer of all, and the wait. */
function most({ places }: Recorded): Blow[] {
  const last = killsOfProvider(lastRead(places)).slice(-1);
  return [...killsOfProvider(writesOf(places)), ...last, ...killsInTheWait(places, "provider")];
}

test("after the provider was killed at any boundary, the next run brings everything to where it was to be", async () => {
  await strikeAll(world, { name: "killed", blowsOf: isLongRun ? all : most }, tally);
  if (isLongRun) await strikeAll(world, { name: "langsmith", dialect: "langsmith", blowsOf: most }, tally);

  recordFigures("provider-killed", tally.figures);
  expect(tally.troubles).toEqual([]);
  expect(tally.scenarios).toBeGreaterThan(0);
});
