import { coverage } from "../../../emulator/gateway/coverage";
import { fc } from "../../properties";
import { published } from "../../published/facts/published";
import { isLongRun } from "../figures";
import { serveAgent, type FuzzedAgent } from "./agent-server";
import { everyRequest, everySequence } from "./fuzzing";
import { requestsAnywhere } from "./places";
import { agentRequests } from "./agent-requests";

jest.setTimeout(isLongRun ? 1_800_000 : 300_000);

let agent: FuzzedAgent;
beforeAll(async () => {
  agent = await serveAgent();
});
afterEach(() => agent.quiet());
afterAll(async () => {
  await agent.close();
  agent.fuzzing.report("agent server");
});

const operations = Object.keys(coverage);

test.each(operations)("returns only documented responses: %s", async (operation) => {
  await everyRequest(agentRequests(operation), (request) => agent.fuzzing.fire(request), 10);
});

test("returns only documented responses for any path", async () => {
  const requests = requestsAnywhere(Object.keys(published.agentServer.operations));
  await everyRequest(requests, (request) => agent.fuzzing.fire(request), 100);
});

test("returns only documented responses after any previous requests", async () => {
  const any = fc.constantFrom(...operations).chain(agentRequests);
  await everySequence(any, agent, { most: 20, times: 6 });
});
