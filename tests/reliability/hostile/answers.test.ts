import { recordFigures } from "../figures";
import { oddities } from "./oddities";
import { type Call, callsAndEndpoints, HostileResource } from "./resource";
import { HostileServer, raw, type Answer, type Endpoint } from "./server";

const counted = { cases: 0, hangs: 0, lostIds: 0, keysElsewhere: 0 };

/** Controllers with which the server ends the client's wait for a response, so that the wait takes no time. */
const waits = new Set<AbortController>();

beforeAll(() =>
  jest.spyOn(AbortSignal, "timeout").mockImplementation(() => {
    const wait = new AbortController();
    waits.add(wait);
    return wait.signal;
  }),
);
afterEach(() => waits.clear());
afterAll(() => {
  jest.restoreAllMocks();
  recordFigures("hostile", {
    "hostile responses": counted.cases,
    hangs: counted.hangs,
    "lost deployments": counted.lostIds,
    "keys sent to redirect targets": counted.keysElsewhere,
  });
});

/** Runs one call of the engine while an endpoint returns this response. */
async function endOf(call: Call, endpoint: Endpoint, answer: Answer | undefined) {
  const server = await HostileServer.start();
  server.exists = call !== "create";
  server.odd[endpoint] = answer;
  server.giveUp = () => waits.forEach((wait) => wait.abort());
  counted.cases += 1;
  counted.hangs += 1;
  const end = await new HostileResource(server)[call]();
  counted.hangs -= 1;
  const { requests } = server;
  await server.close().catch(() => {});
  return { ...end, requests };
}

describe.each(callsAndEndpoints)(
  "the %s operation with unusual responses from the %s endpoint",
  (call, endpoint) => {
    test.each(Object.keys(oddities))("reports %s clearly, and loses nothing", async (what) => {
      const { failure, id, requests } = await endOf(call, endpoint, oddities[what]);
      if (failure && !failure.reasons)
        expect(failure.message).toMatch(/(GET|POST|PATCH|DELETE) \/|[Dd]eployment/);
      // After a valid response to the POST, the resource owns the deployment permanently.
      if (call === "create" && (endpoint === "read" || endpoint === "revision")) {
        if (id !== "d1") counted.lostIds += 1;
        expect(id).toBe("d1");
      }
      expect(requests.length).toBeLessThan(250);
      expect(requests.filter((request) => request.startsWith("POST")).length).toBeLessThan(5);
    });
  },
);

test.each([301, 302, 303, 307, 308])(
  "does not send a key if a redirect (%i) points to another host",
  async (status) => {
    const other = await HostileServer.start();
    const location = `http://localhost:${other.port}/api-host/v2/deployments`;
    for (const [call, endpoint] of callsAndEndpoints)
      await endOf(call, endpoint, raw(status, "", { location }));
    counted.keysElsewhere += other.keys.filter((key) => key !== undefined).length;
    expect(other.requests).toEqual([]);
  },
);

test("stops waiting for a missing response on its own", async () => {
  jest.restoreAllMocks();
  const server = await HostileServer.start();
  server.odd.list = () => {};
  const { failure } = await new HostileResource(server, { answerTimeoutMs: 20 }).create();
  expect(failure!.message).toContain("GET /v2/deployments");
  expect(failure!.message).toContain("no response within 0.02 s");
});
