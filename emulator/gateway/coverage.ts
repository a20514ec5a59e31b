import type { DocumentedOperation } from "./documented-operations";

/** Level of support for a documented operation. */
export type Coverage =
  /**
   * Behaves as documented. The gateway validates the request and creates the response, usually by calling the runtime.
   */
  | { how: "implemented" }
  /** Forwards the response of the runtime unchanged. */
  | { how: "passed through"; note?: string }
  | { how: "different"; note: string }
  | { how: "absent"; note: string };

const implemented: Coverage = { how: "implemented" };
const passedThrough = { how: "passed through" } as const;
const different = (note: string): Coverage => ({ how: "different", note });
const absent = (note: string): Coverage => ({ how: "absent", note });
const run = different(
  "`durability` and `checkpoint_during` have no effect, because checkpoints are written during the run; " +
    "`feedback_keys` are ignored, because there is no feedback service; " +
    "if a new revision interrupts a run, the run is not resumed, and its streams and waits end with an error",
);

const cron = different(
  "rejects schedules with seven fields, ranges that wrap around (`22-2`), steps that start from a number (`0/15`) or exceed the range, and random values (`R`); rejects `context` together with `config.configurable`; " +
    "the metadata of its runs also contains `cron_id` and `cron_due_at`",
);

/** Level of support for each documented operation. */
export const coverage: Record<DocumentedOperation, Coverage> = {
  "POST /assistants": implemented,
  "POST /assistants/search": implemented,
  "POST /assistants/count": implemented,
  "GET /assistants/{assistant_id}": implemented,
  "DELETE /assistants/{assistant_id}": different(
    "the default assistant of a graph is recreated, because the graph cannot be used without it",
  ),
  "PATCH /assistants/{assistant_id}": implemented,
  "GET /assistants/{assistant_id}/graph": implemented,
  "GET /assistants/{assistant_id}/subgraphs": implemented,
  "GET /assistants/{assistant_id}/subgraphs/{namespace}": implemented,
  "GET /assistants/{assistant_id}/schemas": different(
    "returns 422 with a reason if the types of the graph contain no schemas, and 503 if the schemas cannot be read in time",
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
    "replays at most the last 1,000 events of a thread, and only those since the start of the agent server",
  ),
  "POST /threads/{thread_id}/stream/events": {
    ...passedThrough,
    note: "only as server-sent events; the alternative WebSocket transport of the Python client is not supported",
  },
  "GET /threads/{thread_id}/runs": implemented,
  "POST /threads/{thread_id}/runs": run,
  "POST /threads/{thread_id}/runs/crons": cron,
  "POST /threads/{thread_id}/runs/stream": run,
  "POST /threads/{thread_id}/runs/wait": run,
  "GET /threads/{thread_id}/runs/{run_id}": implemented,
  "DELETE /threads/{thread_id}/runs/{run_id}": implemented,
  "GET /threads/{thread_id}/runs/{run_id}/join": implemented,
  "GET /threads/{thread_id}/runs/{run_id}/stream": implemented,
  "POST /threads/{thread_id}/runs/{run_id}/cancel": implemented,
  "POST /runs/crons": cron,
  "POST /runs/crons/search": implemented,
  "POST /runs/crons/count": implemented,
  "POST /runs/stream": run,
  "POST /runs/cancel": implemented,
  "POST /runs/wait": run,
  "POST /runs": run,
  "POST /runs/batch": run,
  "GET /runs/crons/{cron_id}": implemented,
  "PATCH /runs/crons/{cron_id}": cron,
  "DELETE /runs/crons/{cron_id}": implemented,
  "PUT /store/items": different(
    "`index` has no effect for JavaScript agents, which have no semantic search; labels with a colon result in 422 in all store operations",
  ),
  "DELETE /store/items": implemented,
  "GET /store/items": implemented,
  "POST /store/items/search": different("`query` has no effect, because there is no semantic search"),
  "POST /store/namespaces": different(
    'responds with `{"namespaces": […]}`, like the public server, instead of a bare list',
  ),
  "POST /a2a/{assistant_id}": different(
    "also supports the methods of version 1.0 of the protocol, and `tasks/cancel`, which the document lists as " +
      "unsupported; invalid requests result in 400 as documented, not in 200 as on the public server",
  ),
  "POST /mcp/": implemented,
  "GET /mcp/": implemented,
  "DELETE /mcp/": implemented,
  "GET /info": different(
    "requires a key, like all paths except `/ok`; `langgraph_py_version` is empty for JavaScript agents, and contains " +
      "the version in use for Python agents",
  ),
  "GET /metrics": implemented,
  "GET /docs": different(
    "requires a key, like all paths except `/ok`; in a browser, the page is at the origin of the agent, and the web console contains a link to it",
  ),
  "GET /ok": implemented,
  "POST /threads/{thread_id}/commands": passedThrough,
  "GET /threads/{thread_id}/storage": absent(
    "returns 501, because the checkpointer does not report its storage",
  ),
  "GET /.well-known/agent-card.json": implemented,
};
