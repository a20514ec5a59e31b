import { World } from "../../e2e/world";
import { isLongRun, recordFigures } from "../figures";
import { absencesOfPlane, killsInTheWait, killsOfPlane, type Blow } from "./blows";
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
  return [...killsOfPlane(places), ...killsInTheWait(places, "plane")];
}

/** The most important boundaries: those of writes, before the last response, and during the wait. */
function most({ places }: Recorded): Blow[] {
  const last = killsOfPlane(lastRead(places)).slice(0, 1);
  return [...killsOfPlane(writesOf(places)), ...last, ...killsInTheWait(places, "plane")];
}

/** The selection for a complete test run. */
function some({ places }: Recorded): Blow[] {
  return [...mostDoubtful(killsOfPlane(writesOf(places))), ...killsInTheWait(places, "plane").slice(0, 1)];
}

/** The same boundaries, but the control plane is restarted after the run. */
function absences({ places }: Recorded): Blow[] {
  return absencesOfPlane([...writesOf(places), ...lastRead(places)]);
}

/** A folder that is sent: the same, and the requests between its upload and its revision. */
function ofFolder(recorded: Recorded): Blow[] {
  return takenUpAtOnce(recorded, killsOfPlane);
}

const folder: Campaign = { name: "folder", dialect: "langsmith", source: "folder", blowsOf: ofFolder };
const campaigns: [string, Campaign][] = [
  ["in interface", { name: "killed", blowsOf: isLongRun ? all : some }],
  ["in langsmith", { name: "langsmith", dialect: "langsmith", blowsOf: most }],
  ["with a folder as the source", folder],
  ["where it does not come back", { name: "absent", timeout: "5s", blowsOf: absences }],
];

test.each(isLongRun ? campaigns : campaigns.slice(0, 1))(
  "restores everything in the next run after the control plane was killed, %s",
  async (_, campaign) => {
    await strikeAll(world, campaign, tally);
    expect(tally.troubles).toEqual([]);
    expect(tally.scenarios).toBeGreaterThan(0);
  },
);

afterAll(() => recordFigures("control-plane-killed", tally.figures));
