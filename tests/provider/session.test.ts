import { systemClock } from "../../provider/clock";
import { Session } from "../../provider/session";

const env = {
  AGENTSERVER_BASE_URL: "http://plane.example",
  AGENTSERVER_API_KEY: "key",
  AGENTSERVER_TENANT_ID: "tenant",
};
const session = new Session({ config: () => undefined, env, clock: systemClock, random: () => 0.5 });

test.each([
  "https://agent.example",
  "http://127.0.0.1:8123/agents/1",
  "http://localhost:1",
  "http://plane.example/a",
])("the key may go to the agent server at %s", (url) => {
  expect(() => session.agentServer(url)).not.toThrow();
});

test.each([
  "http://agent.example",
  "http://plane.example:81",
  "http://127.0.0.1.example",
  "ftp://localhost",
  "agent",
])("the key does not go to %s", (url) => {
  expect(() => session.agentServer(url)).toThrow(`The agent server's address ${url} is not an https one`);
});
