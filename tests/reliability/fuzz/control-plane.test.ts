import { dialectNames } from "../../../wire";
import type { Facts } from "../../../tools/published-facts/facts";
import { controlPlaneOperations } from "../../../tools/coverage/control-plane-operations";
import { fc } from "../../properties";
import { controlPlaneFacts } from "../../published/judge/documents";
import { isLongRun } from "../figures";
import { type FuzzedPlane, servePlane } from "./control-plane";
import { planeRequests } from "./control-plane-requests";
import { everyRequest, everySequence } from "./fuzzing";
import { requestsAnywhere } from "./places";

jest.setTimeout(isLongRun ? 1_800_000 : 300_000);

const operations = Object.values(controlPlaneOperations)
  .flat()
  .map(({ operation }) => operation);

describe.each(dialectNames)("in the %s dialect", (dialect) => {
  let plane: FuzzedPlane;
  let own: Facts;
  beforeAll(async () => {
    own = await controlPlaneFacts(dialect);
    plane = await servePlane(dialect, own);
  });
  afterEach(() => plane.quiet());
  afterAll(async () => {
    await plane.close();
    plane.fuzzing.report(dialect);
  });

  test.each(operations)("returns only documented responses: %s", async (operation) => {
    await everyRequest(planeRequests(operation, own), (request) => plane.fuzzing.fire(request), 15);
  });

  test("returns only documented responses for any path", async () => {
    await everyRequest(requestsAnywhere(operations), (request) => plane.fuzzing.fire(request), 150);
  });

  test("returns only documented responses after any previous requests", async () => {
    const any = fc.constantFrom(...operations).chain((operation) => planeRequests(operation, own));
    await everySequence(any, plane, { most: 30, times: 10 });
  });
});
