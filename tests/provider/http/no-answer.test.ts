import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { authority, identity, type Identity } from "../../reliability/hostile/certificates";
import { AgentServerClient } from "../../../provider/agent-server/client";
import { systemClock } from "../../../provider/clock";
import { defaultRetryPolicy } from "../../../provider/http/retry";
import { Transport } from "../../../provider/http/transport";
import { agentServerAt } from "./service";

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** Returns the client's error for an agent server with this certificate. */
async function failureAt(certificate: Identity, trusted?: readonly string[]): Promise<string> {
  const server = createServer(certificate, (_request, response) => response.end("{}"));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const service = agentServerAt((server.address() as AddressInfo).port, trusted);
  const options = { service, clock: systemClock, retry: defaultRetryPolicy, random: () => 0 };
  const asked = new AgentServerClient(new Transport(options)).checkHealth();
  return asked.then(
    () => "no failure",
    (error: unknown) => (error as Error).message,
  );
}

test("names an agent server with an untrusted certificate and the setting for trusted CAs", async () => {
  expect(await failureAt(identity(["127.0.0.1"]))).toMatch(
    /its certificate is not trusted \(self-signed certificate[^)]*\)\. If the agent server's certificate is signed by a private CA, .* agentserver:caFile \(AGENTSERVER_CA_FILE\) or in NODE_EXTRA_CA_CERTS\.$/,
  );
});

test("names the setting for an agent server whose certificate is for another host", async () => {
  const ca = authority();
  expect(await failureAt(identity(["agent.test"], { by: ca }), [ca.cert])).toMatch(
    /its certificate is for another host \(.*\)\. Set the deployment's URL \(sourceConfig\.customUrl\) to a host/,
  );
});
