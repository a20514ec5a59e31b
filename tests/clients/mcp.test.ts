import { Client as McpClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type Running, runDeployment } from "../emulator/gateway/deployment";
import type { Values } from "../emulator/answers";
import { readJson } from "../json";
import { expectOperations, record } from "./recording";

let running: Running;
let recorded: () => string[];
beforeAll(async () => {
  running = await runDeployment();
  recorded = record();
});

describe("MCP, with the official client", () => {
  test.each(["/mcp/", "/mcp"])("lists the graphs as tools, and calls one at %s", async (path) => {
    const client = new McpClient({ name: "test", version: "1.0.0" });
    const transport = new StreamableHTTPClientTransport(new URL(running.url + path), {
      requestInit: { headers: { "x-api-key": running.plane.apiKey } },
    });
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools).toEqual([
      {
        name: "agent",
        description: expect.any(String),
        inputSchema: expect.objectContaining({ type: "object" }),
      },
    ]);
    expect(JSON.stringify(tools[0]!.inputSchema)).toContain("messages");
    const call = (content: string) =>
      client.callTool({ name: "agent", arguments: { messages: [{ role: "user", content }] } });
    const answered = (await call("hi")) as { content: { text: string }[]; isError: boolean };
    expect(answered.isError).toBe(false);
    expect(readJson<Values>(answered.content[0]!.text).messages.at(-1)!.content).toBe("heard hi");
    // A graph that asks a question returns the question as its answer.
    const asking = (await call("ask")) as typeof answered;
    expect(asking.isError).toBe(false);
    expect(readJson(asking.content[0]!.text)).toMatchObject({ __interrupt__: [{ value: "what?" }] });
    expect(await call("fail")).toMatchObject({ isError: true });
    await expect(client.callTool({ name: "none", arguments: {} })).rejects.toThrow(
      'There is no tool "none".',
    );
    await client.ping();
    await client.close();
  });
});

test("calls the operations listed in docs/coverage.md", () => expectOperations("MCP JS", recorded()));
