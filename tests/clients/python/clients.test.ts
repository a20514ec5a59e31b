import type { ClientName } from "../../../tools/coverage/clients";
import { type Running, runDeployment } from "../../emulator/gateway/deployment";
import { expectOperations, record } from "../recording";
import { pythonEnvironment, runScript } from "./suite";

const python = pythonEnvironment("tests/clients/python");

(python === undefined ? describe.skip : describe)("the official clients in Python", () => {
  let running: Running;
  beforeAll(async () => {
    running = await runDeployment();
  });

  const scripts: [ClientName, string][] = [
    ["Python SDK", "agent_server_sdk.py"],
    ["RemoteGraph Python", "remote_graph.py"],
    ["MCP Python", "mcp_tools.py"],
    ["A2A Python", "a2a_agent.py"],
  ];
  test.each(scripts)(
    "calls the operations that docs/coverage.md lists for the %s client",
    async (client, script) => {
      const recorded = record();
      await runScript(python!, script, running);
      await expectOperations(client, recorded());
    },
  );
});
