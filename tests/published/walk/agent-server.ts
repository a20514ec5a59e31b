import type { Cron, Run } from "../../emulator/answers";
import { saying } from "../../emulator/gateway/agent";
import type { Footprints } from "../../emulator/gateway/walk";
import { unknownId } from "./ground";
import type { Recorder } from "./recorder";

/** Relevant fields of the state of a thread. */
interface State {
  checkpoint: { checkpoint_id: string };
}

/** Relevant fields of a task that one agent performs for another. */
interface Task {
  result: { status: { state: string } };
}

const both = { accept: "application/json, text/event-stream" };

/** Calls the agent server operations that the official client has no methods for. */
export async function walkFurther(
  recorder: Recorder,
  { threadId, assistantId, cronId }: Footprints,
): Promise<void> {
  await walkSystem(recorder);
  await walkProtocols(recorder, threadId);
  expect((await recorder.visit<Cron>("GET", `/runs/crons/${cronId}`)).body.cron_id).toBe(cronId);
  await recorder.visit("GET", `/assistants/${assistantId}/subgraphs/answer`);
  await recorder.visit("GET", `/threads/${threadId}/history?limit=2`);
  const { checkpoint } = (await recorder.visit<State>("GET", `/threads/${threadId}/state`)).body;
  await recorder.visit("GET", `/threads/${threadId}/state/${checkpoint.checkpoint_id}`);
  await recorder.visit("POST", `/threads/${threadId}/state/checkpoint`, { checkpoint });
  await recorder.visit("GET", `/threads/${threadId}?include=ttl`);
  await recorder.visit("PATCH", `/threads/${threadId}`, { ttl: { strategy: "delete", ttl: 60 } });
  const found = { ids: [threadId], extract: { first: "values.messages[0].content" } };
  expect((await recorder.visit("POST", "/threads/search", found)).body).toHaveLength(1);
  await recorder.visit("POST", "/runs/batch", [saying("one"), saying("two")]);
  await walkFailures(recorder, threadId, assistantId);
}

async function walkSystem(recorder: Recorder): Promise<void> {
  for (const path of ["/ok", "/ok?check_db=1", "/info", "/metrics", "/metrics?format=json", "/docs"])
    expect((await recorder.visit("GET", path)).status).toBe(200);
}

async function walkProtocols(recorder: Recorder, threadId: string): Promise<void> {
  const call = (method: string, params: object) => ({ jsonrpc: "2.0", id: "1", method, params });
  const clientInfo = { name: "walk", version: "1" };
  const hello = call("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  expect((await recorder.visit("POST", "/mcp/", hello, both)).status).toBe(200);
  const notice = { jsonrpc: "2.0", method: "notifications/initialized" };
  expect((await recorder.visit("POST", "/mcp/", notice, both)).status).toBe(202);
  expect((await recorder.visit("POST", "/mcp/", {}, both)).status).toBe(400);
  expect((await recorder.visit("GET", "/mcp/")).status).toBe(405);
  expect((await recorder.visit("DELETE", "/mcp/")).status).toBe(404);
  const message = { role: "user", parts: [{ kind: "text", text: "hi" }], messageId: "1" };
  const sent = await recorder.visit<Task>("POST", "/a2a/agent", call("message/send", { message }), both);
  expect(sent.body.result.status.state).toBe("completed");
  expect((await recorder.visit("POST", "/a2a/agent", {}, both)).status).toBe(400);
  expect((await recorder.visit("POST", "/a2a/missing", call("message/send", { message }), both)).status).toBe(
    404,
  );
  const start = { id: 1, method: "run.start", params: { assistant_id: "agent", input: saying("hi").input } };
  expect((await recorder.visit("POST", `/threads/${threadId}/commands`, start)).status).toBe(200);
  expect((await recorder.visit("POST", `/threads/${threadId}/commands`, {})).status).toBe(400);
  const events = `/threads/${threadId}/stream/events`;
  expect(await recorder.open("POST", events, { channels: ["values"] })).toBe(200);
  expect((await recorder.visit("POST", events, {})).status).toBe(400);
}

/** Requests objects that do not exist and sends invalid values to every operation. */
async function walkFailures(recorder: Recorder, threadId: string, assistantId: string): Promise<void> {
  const refused = async (status: number, method: string, path: string, body?: unknown): Promise<void> => {
    expect([method, path, (await recorder.visit(method, path, body)).status]).toEqual([method, path, status]);
  };
  const nobody = saying("hi", { assistant_id: unknownId });
  const elsewhere = `/threads/${unknownId}`;
  const missing: [string, string, unknown?][] = [
    ["POST", "/assistants", { graph_id: "none" }],
    ["GET", `/assistants/${unknownId}`],
    ["DELETE", `/assistants/${unknownId}`],
    ["PATCH", `/assistants/${unknownId}`, {}],
    ["GET", `/assistants/${unknownId}/graph`],
    ["GET", `/assistants/${unknownId}/subgraphs`],
    ["GET", `/assistants/${unknownId}/schemas`],
    ["POST", `/assistants/${assistantId}/latest`, { version: 99 }],
    ["GET", elsewhere],
    ["PATCH", elsewhere, {}],
    ["DELETE", elsewhere],
    ["GET", `${elsewhere}/stream`],
    ["GET", `${elsewhere}/runs`],
    ["POST", `${elsewhere}/runs`, saying("hi")],
    ["POST", `${elsewhere}/runs/crons`, saying("hi", { schedule: "* * * * *" })],
    ["POST", `${elsewhere}/runs/stream`, saying("hi")],
    ["POST", `${elsewhere}/runs/wait`, saying("hi")],
    ["GET", `/threads/${threadId}/runs/${unknownId}`],
    ["DELETE", `/threads/${threadId}/runs/${unknownId}`],
    ["GET", `/threads/${threadId}/runs/${unknownId}/join`],
    ["GET", `/threads/${threadId}/runs/${unknownId}/stream`],
    ["POST", `/threads/${threadId}/runs/${unknownId}/cancel`],
    ["POST", "/runs/crons", { ...nobody, schedule: "* * * * *" }],
    ["GET", `/runs/crons/${unknownId}`],
    ["PATCH", `/runs/crons/${unknownId}`, {}],
    ["DELETE", `/runs/crons/${unknownId}`],
    ["POST", "/runs/stream", nobody],
    ["POST", "/runs/wait", nobody],
    ["POST", "/runs", nobody],
    ["POST", "/runs/batch", [nobody]],
    ["POST", "/runs/cancel", { thread_id: unknownId, run_ids: [unknownId] }],
  ];
  for (const request of missing) await refused(404, ...request);
  const invalid: [string, string, unknown?][] = [
    ["POST", "/assistants", {}],
    ["POST", "/assistants/search", { limit: 0 }],
    ["POST", "/assistants/count", { metadata: 1 }],
    ["PATCH", `/assistants/${assistantId}`, { metadata: 1 }],
    ["DELETE", `/assistants/${assistantId}?delete_threads=perhaps`],
    ["POST", `/assistants/${assistantId}/versions`, { limit: 0 }],
    ["POST", `/assistants/${assistantId}/latest`, {}],
    ["POST", "/threads", { ttl: "soon" }],
    ["POST", "/threads/search", { status: "asleep" }],
    [
      "POST",
      "/threads/search",
      { extract: Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`path${index}`, "values"])) },
    ],
    ["POST", "/threads/count", { status: "asleep" }],
    ["POST", "/threads/prune", {}],
    ["PATCH", `/threads/${threadId}`, { metadata: 1 }],
    ["GET", `/threads/${threadId}/history?limit=0`],
    ["POST", `/threads/${threadId}/history`, { limit: 0 }],
    ["POST", `/threads/${threadId}/state`, { as_node: 1 }],
    ["POST", `/threads/${threadId}/state/checkpoint`, {}],
    ["GET", `/threads/${threadId}/stream?stream_modes=all`],
    ["GET", `/threads/${threadId}/runs?limit=0`],
    ["POST", `/threads/${threadId}/runs`, {}],
    ["POST", `/threads/${threadId}/runs/crons`, {}],
    ["POST", `/threads/${threadId}/runs/stream`, {}],
    ["POST", `/threads/${threadId}/runs/wait`, {}],
    ["POST", `/threads/${threadId}/runs/${unknownId}/cancel?action=undo`],
    ["POST", "/runs/crons", {}],
    ["POST", "/runs/crons/search", { limit: 0 }],
    ["POST", "/runs/crons/count", { metadata: 1 }],
    ["PATCH", `/runs/crons/${unknownId}`, { schedule: "soon" }],
    ["POST", "/runs/stream", {}],
    ["POST", "/runs/wait", {}],
    ["POST", "/runs", {}],
    ["POST", "/runs", saying("hi", { webhook: "" })],
    ["POST", "/runs/batch", [{}]],
    ["POST", "/runs/cancel", {}],
    ["PUT", "/store/items", {}],
    ["DELETE", "/store/items", {}],
    ["GET", "/store/items"],
    ["POST", "/store/items/search", { limit: 0 }],
    ["POST", "/store/namespaces", { limit: 0 }],
    ...["GET", "DELETE"].map((method): [string, string] => [method, "/threads/seven"]),
    ...["/state", "/copy", "/runs/seven", "/runs/seven/join", "/runs/seven/stream"].map(
      (path): [string, string] => [path === "/copy" ? "POST" : "GET", `/threads/seven${path}`],
    ),
    ["DELETE", "/threads/seven/runs/seven"],
    ["GET", `/threads/${threadId}/state/seven`],
    ["GET", "/runs/crons/seven"],
    ["DELETE", "/runs/crons/seven"],
    ["GET", `/assistants/${assistantId}/graph?xray=deep`],
    ["GET", `/assistants/${assistantId}/subgraphs?recurse=deep`],
    ["GET", `/assistants/${assistantId}/subgraphs/answer?recurse=deep`],
  ];
  for (const request of invalid) await refused(422, ...request);
  await refused(409, "POST", "/assistants", { graph_id: "agent", assistant_id: assistantId });
  await refused(409, "POST", "/threads", { thread_id: threadId });
  const { run_id: id } = (await recorder.visit<Run>("POST", `/threads/${threadId}/runs`, saying("endlessly")))
    .body;
  for (const way of ["", "/stream", "/wait"])
    await refused(
      409,
      "POST",
      `/threads/${threadId}/runs${way}`,
      saying("hi", { multitask_strategy: "reject" }),
    );
  await recorder.visit("POST", `/threads/${threadId}/runs/${id}/cancel?wait=true`);
}
