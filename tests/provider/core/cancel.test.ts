import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "../../../provider/clock";
import { Core } from "../../../provider/core/core";
import { deploymentKind } from "../../../provider/deployment/kind";
import type { DeploymentInputs } from "../../../provider/deployment/inputs/inputs";
import { SessionPool } from "../../../provider/session/session-pool";
import { RecordedLog } from "../recorded-log";
import { scriptedAgents } from "../scripted-agent";
import { agent, World } from "../world";

const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentserver:Deployment::agent";

/** Response timeout in milliseconds. A cancellation that does not end a wait for a response makes the test time out. */
const answerTimeoutMs = 3_600_000;

/**
 * Creates a deployment, and cancels the operation as soon as `moment` resolves.
 * @returns the error message of the operation, if any
 */
async function cancelled(core: Core, inputs: DeploymentInputs, moment: Promise<void>) {
  const cancel = new AbortController();
  const call = { urn, timeouts: {}, faults: [], signal: cancel.signal };
  const ended = core.create(call, { values: { ...inputs }, secretPaths: [] }).then(
    ({ problem }) => problem?.error.message,
    (error: unknown) => (error as Error).message,
  );
  await moment;
  cancel.abort(new Error("cancelled"));
  return ended;
}

test.each([
  ["the key is checked", 1],
  ["the dialect is detected", 2],
  ["the name is looked up", 3],
  ["deployments of interrupted creates are looked up", 4],
])("ends a create that is canceled while %s, and sends nothing more", async (_, last) => {
  const requests: string[] = [];
  let hold = () => {};
  const held = new Promise<void>((resolve) => (hold = resolve));
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (requests.length === last) hold();
    else response.end('{"resources":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const env = {
      AGENTSERVER_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AGENTSERVER_API_KEY: "key",
      AGENTSERVER_TENANT_ID: "tenant",
    };
    const sessions = new SessionPool({ env, clock: systemClock, random: () => 0.5, answerTimeoutMs });
    const core = new Core(deploymentKind(), { sessions, log: new RecordedLog() });
    expect(await cancelled(core, agent(), held)).toBe("cancelled");
    expect(requests).toHaveLength(last);
  } finally {
    server.close().closeAllConnections();
  }
});

test("ends a create that is canceled during its smoke run, and deletes the run's thread", async () => {
  const agents = scriptedAgents({ silent: "/state" });
  const world = await World.start({ runner: agents });
  const { environment: env, time: clock, log } = world;
  const asked = async (end: string) => {
    const giveUp = AbortSignal.timeout(10_000);
    while (!agents.requests.some((request) => request.endsWith(end))) {
      giveUp.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const sessions = new SessionPool({ env, clock, random: () => 0.5, answerTimeoutMs });
  const core = new Core(deploymentKind(), { sessions, log });
  const verify = { graph: "agent", run: { input: {} } };
  const ended = await cancelled(core, agent({ rollout: { verify } }), asked("/state"));
  expect(ended).toContain("its rollout could not be monitored: cancelled");
  await asked("DELETE /threads/T");
});
