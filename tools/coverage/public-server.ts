/** A difference between the agents of the local control plane and the public agent server. */
export interface PublicServerDifference {
  /** Documented operations whose responses are different. */
  operations: readonly string[];
  /** Languages of the agents whose responses differ. */
  agents: readonly ("JavaScript" | "Python")[];
  difference: string;
  reason: string;
  /** Pattern for the message that `tests/reliability/comparison` prints about the difference. */
  found: RegExp;
  /**
   * Names of the only requests in `tests/reliability/comparison` that may show the difference. The names do not include
   * the graph.
   */
  requests?: readonly string[];
  /** Operations that show the difference only in the full test run, which sends more requests. */
  onlyInLongRun?: readonly string[];
}

/**
 * All differences that `tests/reliability/comparison` finds. The test fails if it finds any other difference, or if one
 * of these no longer occurs.
 */
export const publicServerDifferences: readonly PublicServerDifference[] = [
  {
    operations: ["GET /ok"],
    agents: ["JavaScript", "Python"],
    difference: "`services` is missing",
    reason: "The document describes only `ok`.",
    found: /^\/services: /,
  },
  {
    operations: ["GET /info"],
    agents: ["JavaScript", "Python"],
    difference: "contains `metadata`",
    reason: "The document describes it.",
    found: /^\/metadata: missing, here object$/,
  },
  {
    operations: ["GET /info"],
    agents: ["JavaScript"],
    difference: "contains information about the JavaScript runtime; `host` is missing",
    reason: "The runtime reports its own information, and is not hosted by the public service.",
    found: /^\/(flags\/langsmith_tracing_session_on_runs|host|context|langgraph_js_version): /,
  },
  {
    operations: ["GET /metrics"],
    agents: ["JavaScript", "Python"],
    difference: "the fields of the JSON format have different names",
    reason: "The document does not specify them.",
    found: /^\/(api|queue\/\w+|http_requests): /,
  },
  {
    operations: [
      "GET /assistants/{assistant_id}",
      "GET /assistants/{assistant_id}/subgraphs",
      "GET /assistants/{assistant_id}/subgraphs/{namespace}",
      "GET /assistants/{assistant_id}/schemas",
    ],
    agents: ["JavaScript", "Python"],
    difference: "accepts the name of a graph instead of an ID; returns 404 for an unknown name",
    reason: "Runs accept names of graphs, and the gateway resolves them in the same way in all operations.",
    found: /^status: 422, here (200|404)$/,
    requests: [
      "read by graph",
      "read a wrong ID",
      "subgraphs",
      "subgraphs, all",
      "subgraphs of a namespace",
      "schemas",
    ],
    onlyInLongRun: ["GET /assistants/{assistant_id}/subgraphs/{namespace}"],
  },
  {
    operations: ["POST /assistants/{assistant_id}/versions"],
    agents: ["JavaScript"],
    difference: "versions contain `updated_at`",
    reason: "The document requires it.",
    found: /\[\]\/updated_at: missing, here time$/,
  },
  {
    operations: ["GET /assistants/{assistant_id}/graph"],
    agents: ["JavaScript"],
    difference: "nodes and edges have different details",
    reason: "The JavaScript library creates the drawing.",
    found: /^\/(nodes|edges)\[\]/,
  },
  {
    operations: [
      "DELETE /assistants/{assistant_id}",
      "DELETE /threads/{thread_id}",
      "DELETE /runs/crons/{cron_id}",
      "DELETE /threads/{thread_id}/runs/{run_id}",
    ],
    agents: ["JavaScript", "Python"],
    difference: "200 with `{}` instead of 204",
    reason: "The document describes 200.",
    found: /^status: 204, here 200$/,
    requests: ["delete", "delete the thread's cron", "delete it"],
  },
  {
    operations: [
      "POST /threads",
      "GET /threads/{thread_id}",
      "PATCH /threads/{thread_id}",
      "POST /threads/{thread_id}/copy",
      "POST /threads/search",
    ],
    agents: ["JavaScript", "Python"],
    difference: "contains `interrupts` and `error` before the first run",
    reason: "Threads have the same fields in all responses.",
    found: /^(\[\])?\/(interrupts|error): missing, here (empty object|null)$/,
  },
  {
    operations: ["POST /threads"],
    agents: ["JavaScript", "Python"],
    difference: "accepts a request without a body",
    reason: "All fields are optional.",
    found: /^status: 422, here 200$/,
    requests: ["create without a body"],
  },
  {
    operations: ["POST /threads/prune"],
    agents: ["JavaScript", "Python"],
    difference: "supports `keep_latest`",
    reason: "The document describes it; the public server without a database rejects it.",
    found: /^status: 422, here 200$/,
    requests: ["prune"],
  },
  {
    operations: ["POST /threads/{thread_id}/copy"],
    agents: ["JavaScript", "Python"],
    difference: "404 instead of 409 if the thread does not exist",
    reason: "All other operations respond with 404.",
    found: /^status: 409, here 404$/,
    requests: ["copy of a missing one"],
  },
  {
    operations: ["POST /threads/{thread_id}/copy"],
    agents: ["JavaScript", "Python"],
    difference: "contains `values`",
    reason: "Threads have the same fields in all responses.",
    found: /^\/values: missing, here (null|object)$/,
  },
  {
    operations: ["POST /threads/{thread_id}/copy"],
    agents: ["JavaScript"],
    difference: "`metadata` contains the ID of the copy",
    reason: "The JavaScript runtime adds it.",
    found: /^\/metadata\/thread_id: missing, here id$/,
  },
  {
    operations: ["POST /threads"],
    agents: ["JavaScript"],
    difference: "a thread that is created with a state is `idle`",
    reason: "The JavaScript runtime derives the status only from the runs of the thread.",
    found: /^\/status: "interrupted", here "idle"$/,
  },
  {
    operations: ["GET /threads/{thread_id}/state"],
    agents: ["JavaScript"],
    difference: "`metadata` is `{}` instead of `null` if the thread is empty",
    reason: "The document requires an object.",
    found: /^\/metadata: null, here empty object$/,
  },
  {
    operations: ["POST /threads/search", "POST /runs/crons", "POST /store/items/search"],
    agents: ["JavaScript", "Python"],
    difference: "succeeds for requests that cause a 500 on the public server",
    reason: "The 500 is a bug in the public server.",
    found: /^(type: text\/plain, here application\/json|status: 500, here \d+)$/,
    requests: ["search by values", "create without a schedule", "search without a prefix"],
  },
  {
    operations: [
      "GET /threads/{thread_id}/state",
      "GET /threads/{thread_id}/history",
      "GET /threads/{thread_id}/runs",
      "GET /threads/{thread_id}/runs/{run_id}",
      "POST /runs/stream",
    ],
    agents: ["JavaScript", "Python"],
    difference: "`langgraph_api_url` is missing or `null`",
    reason: "The agent does not know the URL of its deployment.",
    found: /langgraph_api_url: text, here (null|missing)$/,
  },
  {
    operations: [
      "GET /threads/{thread_id}/state",
      "GET /threads/{thread_id}/history",
      "POST /threads/{thread_id}/history",
    ],
    agents: ["JavaScript"],
    difference: "`checkpoint_map` is `null` instead of missing",
    reason: "The JavaScript runtime always reports it.",
    found: /checkpoint_map: missing, here null$/,
  },
  {
    operations: [
      "GET /threads/{thread_id}/state",
      "GET /threads/{thread_id}/history",
      "GET /threads/{thread_id}/runs",
      "GET /threads/{thread_id}/runs/{run_id}",
      "POST /threads/{thread_id}/runs",
      "POST /runs/stream",
      "POST /runs",
      "POST /runs/batch",
    ],
    agents: ["JavaScript"],
    difference: "`metadata` and `configurable` contain different runtime-specific entries",
    reason: "The document does not describe them.",
    found:
      /\/(metadata|configurable)\/(langgraph_(?!api_url)\w+|user_id|ls_\w+|run_attempt|__\w+__|__pregel\w*|assistant_id|graph_id|created_by|checkpoint_ns|thread_id|run_id|step|source|parents)\b/,
  },
  {
    operations: [
      "GET /threads/{thread_id}/runs",
      "GET /threads/{thread_id}/runs/{run_id}",
      "POST /threads/{thread_id}/runs",
      "POST /runs",
      "POST /runs/batch",
    ],
    agents: ["JavaScript"],
    difference: "`langsmith_session_name` is missing",
    reason: "Runs are not sent to the public service.",
    found: /^(\[\])?\/langsmith_session_name: /,
  },
  {
    operations: [
      "GET /threads/{thread_id}/runs",
      "GET /threads/{thread_id}/runs/{run_id}",
      "POST /threads/{thread_id}/runs",
      "POST /runs",
      "POST /runs/batch",
    ],
    agents: ["JavaScript"],
    difference: "`kwargs` contains different fields",
    reason: "The document does not describe them.",
    found: /^(\[\])?\/kwargs/,
  },
  {
    operations: ["POST /threads/{thread_id}/runs/wait"],
    agents: ["JavaScript"],
    difference: "404 instead of 422 if the graph does not exist",
    reason: "The document describes 404.",
    found: /^status: 422, here 404$/,
    requests: ["unknown graph"],
  },
  {
    operations: ["PUT /store/items", "GET /store/items", "POST /threads/{thread_id}/runs/wait"],
    agents: ["JavaScript", "Python"],
    difference: "422 instead of 400 for an invalid request",
    reason: "All operations reject invalid requests with 422.",
    found: /^status: 400, here 422$/,
    requests: ["put without a namespace", "get without a key", "wrong thread"],
  },
  {
    operations: ["GET /threads/{thread_id}/runs"],
    agents: ["JavaScript", "Python"],
    difference: "422 for a status that does not exist",
    reason: "The document lists the statuses.",
    found: /^status: 200, here 422$/,
    requests: ["list by a wrong status"],
  },
  {
    operations: ["PUT /store/items", "POST /store/items/search", "POST /store/namespaces"],
    agents: ["JavaScript", "Python"],
    difference: "422 for a limit, a depth, or a lifetime that is not positive",
    reason: "No result could satisfy such a request.",
    found: /^status: 20[04], here 422$/,
    requests: ["put with a wrong lifetime", "search with a wrong limit", "namespaces with a wrong depth"],
  },
  {
    operations: ["GET /threads/{thread_id}/runs/{run_id}/join"],
    agents: ["JavaScript", "Python"],
    difference: "404 if the run does not exist",
    reason: "The document describes 404.",
    found: /^status: 200, here 404$/,
    requests: ["join a missing one"],
  },
  {
    operations: [
      "POST /threads/{thread_id}/runs/wait",
      "POST /runs/wait",
      "POST /runs/stream",
      "POST /threads/{thread_id}/runs/stream",
    ],
    agents: ["JavaScript"],
    difference: "interrupts contain no `response_schema`",
    reason: "The JavaScript library has none.",
    found: /response_schema: null, here missing$/,
    onlyInLongRun: ["POST /runs/wait", "POST /threads/{thread_id}/runs/stream"],
  },
  {
    operations: [
      "GET /threads/{thread_id}/runs/{run_id}/join",
      "POST /threads/{thread_id}/runs/wait",
      "POST /runs/wait",
    ],
    agents: ["JavaScript"],
    difference: "the result of an interrupted run contains the values",
    reason: "`invoke` of the JavaScript library returns them.",
    found: /^\/(topic|steps): missing, here /,
    onlyInLongRun: ["GET /threads/{thread_id}/runs/{run_id}/join", "POST /runs/wait"],
  },
  {
    operations: ["POST /runs/stream"],
    agents: ["JavaScript"],
    difference: "events in the `debug` mode contain checkpoints and other details",
    reason: "The JavaScript library creates them.",
    found: /^\/data\/debug\[\]\//,
  },
  {
    operations: ["POST /runs/stream"],
    agents: ["JavaScript"],
    difference: "events in the `events` mode contain different details",
    reason: "The JavaScript library creates them.",
    found: /^\/data\/events\[\]/,
  },
  {
    operations: ["POST /runs/stream"],
    agents: ["JavaScript"],
    difference: "events in the `checkpoints` mode are also sent in stateless runs",
    reason: "The JavaScript runtime stores checkpoints until the run ends.",
    found: /^\/(data\/checkpoints: missing|order: .*checkpoints|data: object, here object)/,
  },
  {
    operations: ["POST /runs/stream"],
    agents: ["JavaScript"],
    difference: "events in the `tasks` mode have different errors and interrupts",
    reason: "The JavaScript library creates them.",
    found: /^\/data\/tasks\[\]\//,
  },
  {
    operations: ["GET /threads/{thread_id}/runs/{run_id}/stream"],
    agents: ["JavaScript"],
    difference: "the stream of a completed run is replayed",
    reason: "The agent keeps the events.",
    found: /^\/order: "", here "metadata, values"$|^\/data: empty object, here object$/,
  },
  {
    operations: ["GET /threads/{thread_id}"],
    agents: ["JavaScript"],
    difference: "a thread whose run was canceled is `interrupted`, without an error",
    reason: "The run also has the status `interrupted`.",
    found: /^(\/status: "idle", here "interrupted"|\/values: null, here object|\/error: object, here null)$/,
  },
  {
    operations: ["GET /threads/{thread_id}"],
    agents: ["JavaScript"],
    difference: "`config` contains the configuration of the last run",
    reason: "The JavaScript runtime stores it.",
    found: /^\/config\/configurable: empty object, here object$/,
    onlyInLongRun: ["GET /threads/{thread_id}"],
  },
  {
    operations: ["GET /threads/{thread_id}/state"],
    agents: ["JavaScript"],
    difference: "the checkpoint after a command with `update` has the source `input`",
    reason: "The JavaScript library creates the checkpoint.",
    found: /^\/metadata\/source: "loop", here "input"$/,
  },
  {
    operations: [
      "GET /threads/{thread_id}",
      "POST /threads/{thread_id}/runs/wait",
      "GET /threads/{thread_id}/state",
      "GET /threads/{thread_id}/runs",
    ],
    agents: ["JavaScript"],
    difference: "one `resume` value answers all parallel interrupts",
    reason:
      "The JavaScript library assigns it to all of them; the Python library requires the IDs of the interrupts.",
    found:
      /^\/__error__: object, here missing$|^\/values\/steps: \[\], here \["this","this"\]$|^\/(next|tasks|interrupts): (list|object), here empty (list|object)$|^\/status: "error", here "idle"$|"error" or "success", here "success"$|^\/error: object, here null$/,
  },
  {
    operations: [
      "POST /runs/crons",
      "POST /threads/{thread_id}/runs/crons",
      "GET /runs/crons/{cron_id}",
      "PATCH /runs/crons/{cron_id}",
      "POST /runs/crons/search",
    ],
    agents: ["JavaScript", "Python"],
    difference: "`user_id` is `null`",
    reason: "The local control plane has no users.",
    found: /^(\[\])?\/user_id: text, here null$/,
  },
  {
    operations: [
      "POST /runs/crons",
      "POST /threads/{thread_id}/runs/crons",
      "GET /runs/crons/{cron_id}",
      "PATCH /runs/crons/{cron_id}",
      "POST /runs/crons/search",
    ],
    agents: ["JavaScript", "Python"],
    difference: "`payload` contains different fields",
    reason:
      "The document does not describe these fields; in the local control plane, they contain the request that starts the run.",
    found: /^(\[\])?\/payload/,
  },
  {
    operations: ["POST /runs/crons", "PATCH /runs/crons/{cron_id}", "POST /runs/crons/search"],
    agents: ["JavaScript", "Python"],
    difference: "`next_run_date` is `null` if the cron does not run again",
    reason: "A disabled or expired cron has no next run.",
    found: /^(\[\])?\/next_run_date: time, here null$/,
  },
  {
    operations: ["PUT /store/items"],
    agents: ["JavaScript", "Python"],
    difference: "the reason for a rejection is returned as JSON",
    reason: "All errors have the same format.",
    found: /^type: none, here application\/json$/,
    requests: ["put with an empty label", "put with a dot in a label"],
  },
  {
    operations: ["POST /store/items/search"],
    agents: ["JavaScript"],
    difference: "`score` is missing",
    reason: "JavaScript agents do not support semantic search.",
    found: /^\/items\[\]\/score: null, here missing$/,
  },
];
