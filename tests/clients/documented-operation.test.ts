import { documentedOperation } from "./documented-operation";

test.each([
  ["GET", "/threads/6f1c", "GET /threads/{thread_id}"],
  ["POST", "/threads/search", "POST /threads/search"],
  ["POST", "/threads/6f1c/runs/crons", "POST /threads/{thread_id}/runs/crons"],
  ["GET", "/assistants/agent/subgraphs/a%7Cb", "GET /assistants/{assistant_id}/subgraphs/{namespace}"],
  ["POST", "/mcp", "POST /mcp/"],
  ["DELETE", "/mcp/", "DELETE /mcp/"],
  ["GET", "/.well-known/agent-card.json", "GET /.well-known/agent-card.json"],
  // Requests that are not documented.
  ["PATCH", "/threads/6f1c/state", "PATCH /threads/6f1c/state"],
  ["GET", "/threads", "GET /threads"],
])("maps %s %s to %s", (method, path, operation) => {
  expect(documentedOperation(method, path)).toBe(operation);
});
