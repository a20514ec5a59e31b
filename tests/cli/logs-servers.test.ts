import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type CommandProcess, exitCodeOf } from "../../cli/command-process";
import { showLogs } from "../../cli/logs/show-logs";
import { showStatus } from "../../cli/status/show-status";

type Answers = Record<string, (query: URLSearchParams) => unknown>;

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Runs a command against a server that returns these responses by path, and 404 for any other path. */
async function printed(
  answers: Answers,
  command: (surroundings: CommandProcess) => Promise<number>,
): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, "http://localhost");
    const answer = answers[pathname.replace("/api-host", "")];
    response.writeHead(answer ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ? answer(searchParams) : { detail: "Not found" }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  let stdout = "";
  let stderr = "";
  const code = await exitCodeOf(command, {
    cwd: process.cwd(),
    env: {
      AGENTSERVER_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AGENTSERVER_API_KEY: "key-1",
      AGENTSERVER_TENANT_ID: "tenant-1",
    },
    clock: { now: () => 0, sleep: () => Promise.reject(new Error("slept")) },
    random: () => 0,
    stdout: { isTTY: false, write: async (text) => void (stdout += text) },
    stderr: { isTTY: false, write: async (text) => void (stderr += text) },
    signal: new AbortController().signal,
  });
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("agentserver:")]);
  return stdout;
}

/** Responses with only the fields that the interface document guarantees. */
const bare: Answers = {
  "/v2/deployments": () => ({ resources: [{ id: "d-1", latest_revision_id: "r-2", name: "agent" }] }),
  "/v2/deployments/d-1": () => ({ id: "d-1", latest_revision_id: "r-2" }),
  "/v2/deployments/d-1/revisions": () => ({
    resources: [
      { id: "r-2", status: "BUILDING", created_at: "2026-01-02T00:00:00Z" },
      { id: "r-1", status: "DEPLOYED", created_at: "2026-01-01T00:00:00Z" },
    ],
  }),
  "/v2/deployments/d-1/revisions/r-2": () => ({ id: "r-2", status: "BUILDING" }),
};

const logsPath = "/v2/deployments/d-1/revisions/r-2/logs";
const logsOf = (page: (query: URLSearchParams) => unknown) =>
  printed({ ...bare, [logsPath]: page }, (surroundings) => showLogs(surroundings, "agent", {}));

test("accepts times in milliseconds and missing times and levels", async () => {
  const logs = [
    { timestamp: 1_767_225_600_000, level: "INFO", message: "one" },
    { timestamp: "today", message: "two\r\n" },
    { message: "three" },
  ];
  expect(await logsOf(() => ({ logs }))).toBe(
    "2026-01-01T00:00:00.000Z INFO    one\ntoday         two\n-         three\n",
  );
});

test("reads all pages of lines without IDs, including repeated lines", async () => {
  const pages: Record<string, unknown> = {
    "": { logs: [{ message: "a" }, { message: "a" }], next_offset: "2" },
    "2": { logs: [{ message: "a" }, { message: "b" }], next_offset: "4" },
    "4": { logs: [], next_offset: "4" },
  };
  const log = await logsOf((query) => pages[query.get("offset") ?? ""]);
  expect(log.match(/[ab]$/gm)).toEqual(["a", "a", "a", "b"]);
});

test("reads a page once if the server always returns the same one", async () => {
  let offset = 0;
  const log = await logsOf(() => ({
    logs: [{ id: "1", message: "once" }],
    next_offset: String((offset += 1)),
  }));
  expect(log.match(/once/g)).toHaveLength(1);
});

test("lists deployments of a server that returns only guaranteed fields", async () => {
  const json = await printed(bare, (surroundings) => showStatus(surroundings, { json: true }));
  expect(JSON.parse(json)).toEqual([
    {
      name: "agent",
      id: "d-1",
      status: null,
      newestRevision: { id: "r-2", status: "BUILDING", createdAt: "2026-01-02T00:00:00Z" },
      serving: { revisionId: "r-1", since: "2026-01-01T00:00:00Z" },
      url: null,
      pulumi: null,
      holder: null,
    },
  ]);
  const table = await printed(bare, (surroundings) => showStatus(surroundings, {}));
  expect(table.split("\n")[1]!.split(/ {2,}/)).toEqual([
    "agent",
    "?",
    "r-2 BUILDING",
    "r-1",
    "2026-01-01 00:00:00",
    "?",
  ]);
});

test("finds a revision by a prefix of its ID on any page", async () => {
  const ids = Array.from({ length: 120 }, (_, place) => `${String(place).padStart(4, "0")}aaaa-revision`);
  const path = "/v2/deployments/d-1/revisions";
  const paged = (query: URLSearchParams) => {
    const offset = Number(query.get("offset") ?? 0);
    return { resources: ids.slice(offset, offset + 50).map((id) => ({ id, status: "DEPLOYED" })) };
  };
  const answers = {
    ...bare,
    [path]: paged,
    [`${path}/${ids[110]}/logs`]: () => ({ logs: [{ message: "the old one" }] }),
  };
  const log = await printed(answers, (surroundings) =>
    showLogs(surroundings, "agent", { revision: "0110aaaa" }),
  );
  expect(log).toContain("the old one");
});
