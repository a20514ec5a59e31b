import { World } from "../../e2e/world";
import { isLongRun, recordFigures } from "../figures";
import { absencesOfPlane, killsInTheWait, killsOfPlane, type Blow } from "./blows";
import { record, type Recorded, strikeAll, Tally } from "./campaign";
import { Lane, type LaneOptions } from "./lane";
import { deeds, lastRead, writesOf } from "./selection";

jest.setTimeout(isLongRun ? 7_200_000 : 300_000);

const tally = new Tally();
let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.end());

/** Every request at every boundary, or only what weighs most. */
function blowsOf({ places }: Recorded): Blow[] {
  const waits = killsInTheWait(places, "plane");
  if (isLongRun) return [...killsOfPlane(places), ...waits];
  return [...killsOfPlane(writesOf(places)), killsOfPlane(lastRead(places))[0]!, ...waits];
}

async function strike(name: string, options: LaneOptions, blows = blowsOf): Promise<void> {
  const lane = await Lane.open(world, name, options);
  try {
    await strikeAll(lane, await record(lane, deeds), blows, tally);
  } finally {
    await lane.close();
  }
}

test("after the control plane was killed at any boundary, the next run brings everything to where it was to be", async () => {
  await strike("interface", { dialect: "interface" });
  if (isLongRun) {
    await strike("langsmith", { dialect: "langsmith" });
    await strike("absent", { timeout: "5s" }, ({ places }) => absencesOfPlane(places));
  }

  recordFigures("control-plane-killed", tally.figures);
  expect(tally.troubles).toEqual([]);
  expect(tally.scenarios).toBeGreaterThan(0);
});
