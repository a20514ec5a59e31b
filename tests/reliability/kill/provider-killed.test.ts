import { World } from "../../e2e/world";
import { isLongRun, recordFigures } from "../figures";
import { killsInTheWait, killsOfProvider, type Blow } from "./blows";
import { record, type Recorded, strikeAll, Tally } from "./campaign";
import { Lane, type LaneOptions } from "./lane";
import { deeds, lastRead, writesOf } from "./selection";

jest.setTimeout(isLongRun ? 3_600_000 : 300_000);

const tally = new Tally();
let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.end());

/** Every request at every boundary, or only what weighs most. */
function blowsOf({ places }: Recorded): Blow[] {
  const waits = killsInTheWait(places, "provider");
  if (isLongRun) return [...killsOfProvider(places), ...waits];
  return [...killsOfProvider(writesOf(places)), killsOfProvider(lastRead(places)).at(-1)!, ...waits];
}

async function strike(name: string, options: LaneOptions): Promise<void> {
  const lane = await Lane.open(world, name, options);
  try {
    await strikeAll(lane, await record(lane, deeds), blowsOf, tally);
  } finally {
    await lane.close();
  }
}

test("after the provider was killed at any boundary, the next run brings everything to where it was to be", async () => {
  await strike("interface", { dialect: "interface" });
  if (isLongRun) await strike("langsmith", { dialect: "langsmith" });

  recordFigures("provider-killed", tally.figures);
  expect(tally.troubles).toEqual([]);
  expect(tally.scenarios).toBeGreaterThan(0);
});
