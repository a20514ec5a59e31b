import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { AgentClient } from "../../../../emulator/gateway/request/agent-client";

let agent: Server;
beforeAll(async () => {
  agent = createServer((_request, _response) => undefined);
  await new Promise<void>((resolve) => agent.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  agent.closeAllConnections();
  agent.close();
});

test("rejects if the agent does not respond within the time limit", async () => {
  const origin = `http://127.0.0.1:${(agent.address() as AddressInfo).port}`;
  const client = new AgentClient(origin, {}, new AbortController().signal).within(50);
  await expect(client.send("POST", "/runs", {})).rejects.toMatchObject({
    status: 502,
    detail: "The agent server closed the connection without a response (ABORT_ERR).",
  });
});
