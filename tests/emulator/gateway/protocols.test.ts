import { Client as McpClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Values } from "../answers";
import { readJson } from "../../json";
import { type Running, runDeployment } from "./deployment";

let running: Running;
beforeAll(async () => {
  running = await runDeployment();
});

describe("MCP, with the official client", () => {
  test.each(["/mcp/", "/mcp"])(
    "%s: lists the graphs as tools and calls one",
    async (path) => {
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
      const { content, isError } = (await call("hi")) as { content: { text: string }[]; isError: boolean };
      expect(isError).toBe(false);
      expect(readJson<Values>(content[0]!.text).messages.at(-1)!.content).toBe("heard hi");
      expect(await call("fail")).toMatchObject({ isError: true });
      await expect(client.callTool({ name: "none", arguments: {} })).rejects.toThrow(
        'There is no tool "none".',
      );
      await client.ping();
      await client.close();
    },
    60_000,
  );

  test("refuses as documented", async () => {
    const json = { accept: "application/json, text/event-stream" };
    const send = async (method: string, body?: unknown, headers: Record<string, string> = json) =>
      (await running.client.send(method, "/mcp/", body, headers)).status;
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    expect(await send("POST", ping)).toBe(200);
    expect(await send("POST", { jsonrpc: "2.0", method: "notifications/initialized" })).toBe(202);
    expect(await send("POST", ping, { accept: "application/json" })).toBe(400);
    expect(await send("POST", { id: 1 })).toBe(400);
    expect(await send("POST", "{")).toBe(400);
    expect(await send("GET")).toBe(405);
    expect(await send("DELETE")).toBe(404);
  });
});
