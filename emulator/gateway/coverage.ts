import type { DocumentedOperation } from "./documented-operations";

/** How far a documented operation is served. */
export type Coverage =
  /** As documented: the gateway checks the request and makes the answer, most often with the runtime underneath. */
  | { how: "implemented" }
  /** The runtime's own answer, whatever it is. */
  | { how: "passed through"; note?: string }
  | { how: "different"; note: string }
  | { how: "absent"; note: string };

const implemented: Coverage = { how: "implemented" };
const passedThrough = { how: "passed through" } as const;
const different = (note: string): Coverage => ({ how: "different", note });
const absent = (note: string): Coverage => ({ how: "absent", note });
const run = different(
  "`durability` and `checkpoint_during` are accepted without effect: checkpoints are written as the run goes; " +
    "`feedback_keys` are dropped: there is no service to collect feedback; " +
    "a run that a new revision cuts off is not taken up again: streams and waiting end with an error that says so",
);

/** Every documented operation, and how far it is served. */
export const coverage: Record<DocumentedOperation, Coverage> = {
  "POST /assistants": implemented,
  "POST /assistants/search": implemented,
  "POST /assistants/count": implemented,
  "GET /assistants/{assistant_id}": implemented,
  "DELETE /assistants/{assistant_id}": different(
    "the assistant of a graph comes back as it was at first: without it the graph could not be used",
  ),
  "PATCH /assistants/{assistant_id}": implemented,
  "GET /assistants/{assistant_id}/graph": implemented,
  "GET /assistants/{assistant_id}/subgraphs": implemented,
  "GET /assistants/{assistant_id}/subgraphs/{namespace}": implemented,
  "GET /assistants/{assistant_id}/schemas": different(
    "a graph whose types tell no schemas is a 422 that says why; 503 while they cannot be read",
  ),
  "POST /assistants/{assistant_id}/versions": implemented,
  "POST /assistants/{assistant_id}/latest": implemented,
  "POST /threads": implemented,
  "POST /threads/search": implemented,
  "POST /threads/count": implemented,
  "POST /threads/prune": implemented,
  "GET /threads/{thread_id}/state": implemented,
  "POST /threads/{thread_id}/state": implemented,
  "GET /threads/{thread_id}/state/{checkpoint_id}": implemented,
  "POST /threads/{thread_id}/state/checkpoint": implemented,
  "GET /threads/{thread_id}/history": implemented,
  "POST /threads/{thread_id}/history": implemented,
  "POST /threads/{thread_id}/copy": implemented,
  "GET /threads/{thread_id}": implemented,
  "DELETE /threads/{thread_id}": implemented,
  "PATCH /threads/{thread_id}": implemented,
  "GET /threads/{thread_id}/stream": different(
    "events of the last 1,000 per thread since the agent server started can be read again",
  ),
  "POST /threads/{thread_id}/stream/events": {
    ...passedThrough,
    note: "as server-sent events only: there is no WebSocket, which the Python client offers as another transport",
  },
  "GET /threads/{thread_id}/runs": implemented,
  "POST /threads/{thread_id}/runs": run,
  "POST /threads/{thread_id}/runs/crons": implemented,
  "POST /threads/{thread_id}/runs/stream": run,
  "POST /threads/{thread_id}/runs/wait": run,
  "GET /threads/{thread_id}/runs/{run_id}": implemented,
  "DELETE /threads/{thread_id}/runs/{run_id}": implemented,
  "GET /threads/{thread_id}/runs/{run_id}/join": implemented,
  "GET /threads/{thread_id}/runs/{run_id}/stream": implemented,
  "POST /threads/{thread_id}/runs/{run_id}/cancel": implemented,
  "POST /runs/crons": implemented,
  "POST /runs/crons/search": implemented,
  "POST /runs/crons/count": implemented,
  "POST /runs/stream": run,
  "POST /runs/cancel": implemented,
  "POST /runs/wait": run,
  "POST /runs": run,
  "POST /runs/batch": run,
  "GET /runs/crons/{cron_id}": implemented,
  "PATCH /runs/crons/{cron_id}": implemented,
  "DELETE /runs/crons/{cron_id}": implemented,
  "PUT /store/items": different(
    "JavaScript agents accept `index` without effect, for them there is no search by meaning; a label with a colon is a 422 in all of the store",
  ),
  "DELETE /store/items": implemented,
  "GET /store/items": implemented,
  "POST /store/items/search": different("`query` is accepted without effect: there is no search by meaning"),
  "POST /store/namespaces": different(
    '`{"namespaces": […]}`, as the public server answers and the official clients read, not the bare list',
  ),
  "POST /a2a/{assistant_id}": different(
    "beside the documented methods, those of version 1.0 of the protocol; `tasks/cancel` cancels, which the document " +
      "calls unsupported; a request that is not valid is a 400 as documented, where the public server answers 200",
  ),
  "POST /mcp/": implemented,
  "GET /mcp/": implemented,
  "DELETE /mcp/": implemented,
  "GET /info": different(
    "a key is required, as for every path except `/ok`; `langgraph_py_version` is empty for JavaScript agents, and the " +
      "version in use for Python agents",
  ),
  "GET /metrics": implemented,
  "GET /docs": different(
    "a key is required, as for every path except `/ok`; a browser opens it at the agent's own origin, from the control " +
      "plane's page",
  ),
  "GET /ok": implemented,
  "POST /threads/{thread_id}/commands": passedThrough,
  "GET /threads/{thread_id}/storage": absent(
    "answered with 501: the checkpointer does not tell how much it stores",
  ),
  "GET /.well-known/agent-card.json": implemented,
};
