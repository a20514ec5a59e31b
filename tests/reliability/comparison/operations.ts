import { graphIds, type GraphId } from "./graphs";

/** A request that is sent to every server. */
export interface Step {
  /** Description that distinguishes the step from other steps with the same operation. */
  what: string;
  method: string;
  /** Path template. Each `{name}` is replaced with a value from an earlier response. */
  path: string;
  body?: unknown;
  /** Response fields that later steps use, keyed by name. */
  keep?: Record<string, string>;
  /** Condition for the response. The request is repeated until the condition is met. */
  until?: (body: unknown) => boolean;
  /** True to send the step only in the full test run. */
  long?: boolean;
}

type Options = Pick<Step, "keep" | "until" | "long">;

const missing = "00000000-0000-4000-8000-000000000000";
const step = (what: string, method: string, path: string, body?: unknown, options: Options = {}): Step => ({
  what,
  method,
  path,
  ...(body === undefined ? {} : { body }),
  ...options,
});

const inputs: Record<GraphId, object> = Object.fromEntries(
  graphIds.map((id) => [
    id,
    id === "echo" ? { messages: [{ role: "user", content: "hi" }] } : { topic: "t", steps: [] },
  ]),
) as Record<GraphId, object>;
const streamModes = [
  "values",
  "updates",
  "messages-tuple",
  "custom",
  "debug",
  "events",
  "tasks",
  "checkpoints",
];
/** Graphs that run all steps in CI. All other graphs perform a single run. */
const inCi: readonly GraphId[] = ["count"];

/** Returns all steps, in sequences that do not depend on each other. */
export function sequences(isLong: boolean): Step[][] {
  const all = [
    [...system(), ...assistants(), ...threads(), ...crons(), ...store()],
    ...graphIds.map(runsOf),
    failures(),
    commands(),
    runs(),
    interrupts(),
  ];
  return isLong ? all : all.map((sequence) => sequence.filter(({ long }) => !long));
}

function system(): Step[] {
  return [
    step("health", "GET", "/ok"),
    step("facts", "GET", "/info"),
    step("unknown path", "GET", "/nowhere"),
    step("metrics as JSON", "GET", "/metrics?format=json"),
    step("description", "GET", "/docs"),
  ];
}

function assistants(): Step[] {
  const created = {
    graph_id: "count",
    name: "counter",
    metadata: { team: "a" },
    config: { configurable: { tone: "x" } },
  };
  return [
    step("create", "POST", "/assistants", created, { keep: { assistant: "assistant_id" } }),
    step(
      "create with a context",
      "POST",
      "/assistants",
      { graph_id: "echo", context: { tone: "y" }, description: "d" },
      { keep: { other: "assistant_id" } },
    ),
    step("create with config and context", "POST", "/assistants", {
      graph_id: "echo",
      context: { a: 1 },
      config: { configurable: { a: 1 } },
    }),
    step("create of an unknown graph", "POST", "/assistants", { graph_id: "none" }),
    step("create without a graph", "POST", "/assistants", {}),
    step("create with a wrong id", "POST", "/assistants", { graph_id: "count", assistant_id: "x" }),
    step("create with wrong metadata", "POST", "/assistants", { graph_id: "count", metadata: [] }),
    step("create an existing one", "POST", "/assistants", { graph_id: "count", assistant_id: "{assistant}" }),
    step("create an existing one, or nothing", "POST", "/assistants", {
      graph_id: "count",
      assistant_id: "{assistant}",
      if_exists: "do_nothing",
    }),
    step("create with a wrong choice", "POST", "/assistants", { graph_id: "count", if_exists: "maybe" }),
    step("read", "GET", "/assistants/{assistant}"),
    step("read by graph", "GET", "/assistants/count", undefined),
    step("read a missing one", "GET", `/assistants/${missing}`),
    step("read a wrong ID", "GET", "/assistants/x-y"),
    step("change", "PATCH", "/assistants/{assistant}", { name: "renamed", metadata: { team: "b", more: 1 } }),
    step("change the configuration", "PATCH", "/assistants/{assistant}", {
      config: { tags: ["one"], configurable: { tone: "z" } },
    }),
    step("change nothing", "PATCH", "/assistants/{assistant}", {}),
    step("change to an unknown graph", "PATCH", "/assistants/{assistant}", { graph_id: "none" }),
    step("change a missing one", "PATCH", `/assistants/${missing}`, { name: "n" }),
    step("list versions", "POST", "/assistants/{assistant}/versions", {}),
    step("list versions by metadata", "POST", "/assistants/{assistant}/versions", {
      metadata: { team: "a" },
      limit: 1,
    }),
    step("list versions of a missing one", "POST", `/assistants/${missing}/versions`, {}),
    step("set the latest version", "POST", "/assistants/{assistant}/latest", { version: 1 }),
    step("set a missing version", "POST", "/assistants/{assistant}/latest", { version: 99 }),
    step("set a wrong version", "POST", "/assistants/{assistant}/latest", { version: "one" }),
    step("search by metadata", "POST", "/assistants/search", { metadata: { team: "a" } }),
    step("search by graph", "POST", "/assistants/search", { graph_id: "count", limit: 5 }),
    step("search by name", "POST", "/assistants/search", { name: "count" }),
    step("search with fields", "POST", "/assistants/search", {
      select: ["assistant_id", "name"],
      graph_id: "count",
    }),
    step("search with no fields", "POST", "/assistants/search", { select: [], graph_id: "count" }),
    step("search with an unknown field", "POST", "/assistants/search", { select: ["nothing"] }),
    step("search in an order", "POST", "/assistants/search", {
      sort_by: "name",
      sort_order: "asc",
      graph_id: "count",
    }),
    step("search in an unknown order", "POST", "/assistants/search", { sort_by: "color" }),
    step("search with a wrong limit", "POST", "/assistants/search", { limit: 0 }),
    step("search with a large limit", "POST", "/assistants/search", { limit: 100_000 }),
    step("search with a negative offset", "POST", "/assistants/search", { offset: -1 }),
    step("count", "POST", "/assistants/count", {}),
    step("count by graph", "POST", "/assistants/count", { graph_id: "count" }),
    step("graph", "GET", "/assistants/{assistant}/graph"),
    step("graph, opened", "GET", "/assistants/nested/graph?xray=true"),
    step("graph, opened to a depth", "GET", "/assistants/nested/graph?xray=1", undefined, { long: true }),
    step("graph with a wrong depth", "GET", "/assistants/nested/graph?xray=-1"),
    step("subgraphs", "GET", "/assistants/nested/subgraphs"),
    step("subgraphs, all", "GET", "/assistants/nested/subgraphs?recurse=true", undefined, { long: true }),
    step("subgraphs of a namespace", "GET", "/assistants/nested/subgraphs/inner", undefined, { long: true }),
    step("schemas", "GET", "/assistants/count/schemas"),
    step("schemas of a missing one", "GET", `/assistants/${missing}/schemas`),
    step("delete", "DELETE", "/assistants/{other}"),
    step("delete again", "DELETE", "/assistants/{other}"),
  ];
}

function threads(): Step[] {
  const state = { values: { topic: "set", steps: ["set"] } };
  return [
    step("create", "POST", "/threads", { metadata: { kind: "one" } }, { keep: { thread: "thread_id" } }),
    step(
      "create with an id",
      "POST",
      "/threads",
      { thread_id: "11111111-1111-4111-8111-111111111111" },
      { keep: { given: "thread_id" } },
    ),
    step("create an existing one", "POST", "/threads", { thread_id: "{given}" }),
    step("create an existing one, or nothing", "POST", "/threads", {
      thread_id: "{given}",
      if_exists: "do_nothing",
    }),
    step("create with a wrong id", "POST", "/threads", { thread_id: "x" }),
    step("create with wrong metadata", "POST", "/threads", { metadata: "text" }),
    step("create with a wrong choice", "POST", "/threads", { if_exists: "maybe" }),
    step("create with a lifetime", "POST", "/threads", { ttl: { strategy: "delete", ttl: 60 } }),
    step("create with a wrong lifetime", "POST", "/threads", { ttl: { strategy: "never", ttl: 60 } }),
    step(
      "create with states",
      "POST",
      "/threads",
      {
        metadata: { graph_id: "count" },
        supersteps: [{ updates: [{ values: { topic: "s", steps: ["s"] }, as_node: "first" }] }],
      },
      { keep: { stated: "thread_id" } },
    ),
    step("create without a body", "POST", "/threads", undefined),
    step("create from a list", "POST", "/threads", []),
    step("read", "GET", "/threads/{thread}"),
    step("read a missing one", "GET", `/threads/${missing}`),
    step("read a wrong ID", "GET", "/threads/x"),
    step("change", "PATCH", "/threads/{thread}", { metadata: { more: true } }),
    step("change a missing one", "PATCH", `/threads/${missing}`, { metadata: {} }),
    step("change with wrong metadata", "PATCH", "/threads/{thread}", { metadata: 1 }),
    step("state of an empty one", "GET", "/threads/{thread}/state"),
    step("state of a missing one", "GET", `/threads/${missing}/state`),
    step("history of an empty one", "GET", "/threads/{thread}/history"),
    step("update of an empty one", "POST", "/threads/{thread}/state", state),
    step("state, created with states", "GET", "/threads/{stated}/state"),
    step("update", "POST", "/threads/{stated}/state", state),
    step("update as a node", "POST", "/threads/{stated}/state", { ...state, as_node: "second" }),
    step("update as an unknown node", "POST", "/threads/{stated}/state", { ...state, as_node: "none" }),
    step("update of a missing one", "POST", `/threads/${missing}/state`, state),
    step("update with wrong values", "POST", "/threads/{stated}/state", { values: 1 }),
    step("state after the updates", "GET", "/threads/{stated}/state?subgraphs=true"),
    step("history", "GET", "/threads/{stated}/history?limit=10"),
    step("history, posted", "POST", "/threads/{stated}/history", { limit: 1 }),
    step("history by metadata", "POST", "/threads/{stated}/history", { metadata: { source: "update" } }),
    step("history with a wrong limit", "POST", "/threads/{stated}/history", { limit: 0 }),
    step("history of a missing one", "POST", `/threads/${missing}/history`, {}),
    step("copy", "POST", "/threads/{stated}/copy", undefined, { keep: { copied: "thread_id" } }),
    step("state of the copy", "GET", "/threads/{copied}/state"),
    step("copy of a missing one", "POST", `/threads/${missing}/copy`),
    step("search by metadata", "POST", "/threads/search", { metadata: { kind: "one" } }),
    step("search by status", "POST", "/threads/search", { status: "idle", metadata: { kind: "one" } }),
    step("search by values", "POST", "/threads/search", { values: { topic: "set" }, limit: 1 }),
    step("search by ids", "POST", "/threads/search", { ids: ["{thread}", missing] }),
    step("search with fields", "POST", "/threads/search", {
      ids: ["{thread}"],
      select: ["thread_id", "status"],
    }),
    step("search with no fields", "POST", "/threads/search", { ids: ["{thread}"], select: [] }),
    step("search with an unknown field", "POST", "/threads/search", { select: ["nothing"] }),
    step("search with a wrong status", "POST", "/threads/search", { status: "tired" }),
    step("search in an order", "POST", "/threads/search", {
      ids: ["{thread}"],
      sort_by: "state_updated_at",
      sort_order: "desc",
    }),
    step("search in an unknown order", "POST", "/threads/search", { sort_by: "color" }),
    step("search with a wrong limit", "POST", "/threads/search", { limit: 0 }),
    step("search with wrong metadata", "POST", "/threads/search", { metadata: [] }),
    step("search with a wrong offset", "POST", "/threads/search", { offset: "x" }),
    step("count", "POST", "/threads/count", { metadata: { kind: "one" } }),
    step("count by a wrong status", "POST", "/threads/count", { status: "tired" }),
    step("prune", "POST", "/threads/prune", { thread_ids: ["{copied}"], strategy: "keep_latest" }),
    step("prune with a wrong strategy", "POST", "/threads/prune", {
      thread_ids: ["{copied}"],
      strategy: "none",
    }),
    step("delete", "DELETE", "/threads/{copied}"),
    step("delete again", "DELETE", "/threads/{copied}"),
    step("delete a wrong id", "DELETE", "/threads/x"),
  ];
}

function runsOf(graph: GraphId): Step[] {
  const long = inCi.includes(graph) ? {} : { long: true };
  const run = {
    assistant_id: graph,
    input: inputs[graph],
    ...(graph === "configured" && { config: { configurable: { tone: "warm" } } }),
  };
  const thread = `thread_${graph}`;
  const name = (what: string) => `${what} (${graph})`;
  return [
    step(name("create a thread"), "POST", "/threads", {}, { keep: { [thread]: "thread_id" }, ...long }),
    step(name("wait"), "POST", `/threads/{${thread}}/runs/wait`, run, long),
    step(name("thread"), "GET", `/threads/{${thread}}`, undefined, long),
    step(name("state"), "GET", `/threads/{${thread}}/state`, undefined, long),
    step(name("history"), "GET", `/threads/{${thread}}/history?limit=20`, undefined, long),
    step(name("list"), "GET", `/threads/{${thread}}/runs`, undefined, {
      keep: { [`run_${graph}`]: "0.run_id" },
      ...long,
    }),
    step(name("read"), "GET", `/threads/{${thread}}/runs/{run_${graph}}`, undefined, long),
    step(name("join"), "GET", `/threads/{${thread}}/runs/{run_${graph}}/join`, undefined, long),
    step(name("stateless wait"), "POST", "/runs/wait", run, graph === "echo" ? {} : long),
    step(
      name("create"),
      "POST",
      `/threads/{${thread}}/runs`,
      { ...run, multitask_strategy: "enqueue" },
      { keep: { [`made_${graph}`]: "run_id" }, ...long },
    ),
    // Joining a run that has not ended returns a different result.
    step(name("read it when it has ended"), "GET", `/threads/{${thread}}/runs/{made_${graph}}`, undefined, {
      until: (body) => !["pending", "running"].includes((body as { status: string }).status),
      ...long,
    }),
    step(
      name("join the created one"),
      "GET",
      `/threads/{${thread}}/runs/{made_${graph}}/join`,
      undefined,
      long,
    ),
    ...streamModes.map((mode) =>
      step(name(`stream of ${mode}`), "POST", "/runs/stream", { ...run, stream_mode: [mode] }, long),
    ),
    step(
      name("stream of values and updates"),
      "POST",
      `/threads/{${thread}}/runs/stream`,
      { ...run, stream_mode: ["values", "updates"], stream_subgraphs: true },
      long,
    ),
    step(name("schemas"), "GET", `/assistants/${graph}/schemas`, undefined, { long: true }),
    step(name("graph"), "GET", `/assistants/${graph}/graph`, undefined, { long: true }),
  ];
}

/** Returns steps on a separate thread, so that a difference in one of them does not affect the others. */
function onThread(name: string, make: (thread: string) => Step[]): Step[] {
  const kept = `thread_${name.replaceAll(" ", "_")}`;
  const made = make(`/threads/{${kept}}`);
  const long = made.every((one) => one.long) ? { long: true } : {};
  return [
    step(`create a thread (${name})`, "POST", "/threads", {}, { keep: { [kept]: "thread_id" }, ...long }),
    ...made,
  ];
}

function failures(): Step[] {
  const run = { assistant_id: "count", input: inputs.count };
  const failing = { assistant_id: "fail", input: inputs.fail };
  return [
    ...onThread("failing", (thread) => [
      step("wait for a failure", "POST", `${thread}/runs/wait`, failing),
      step("thread after a failure", "GET", thread),
      step("state after a failure", "GET", `${thread}/state`),
      step("list by status", "GET", `${thread}/runs?status=error`),
      step("run after a failure", "POST", `${thread}/runs/wait`, run),
    ]),
    step(
      "wait for a failure, raising",
      "POST",
      "/runs/wait",
      { ...failing, raise_error: true },
      { long: true },
    ),
    step("stream of a failure", "POST", "/runs/stream", failing),
    ...onThread("refused", (thread) => [
      step("unknown graph", "POST", `${thread}/runs/wait`, { ...run, assistant_id: "none" }),
      step("unknown assistant", "POST", `${thread}/runs/wait`, { ...run, assistant_id: missing }),
      step("without an assistant", "POST", `${thread}/runs/wait`, { input: {} }),
      step("wrong stream mode", "POST", `${thread}/runs/stream`, { ...run, stream_mode: "film" }),
      step("wrong strategy", "POST", `${thread}/runs`, { ...run, multitask_strategy: "fight" }),
      step("config and context", "POST", `${thread}/runs/wait`, {
        ...run,
        config: { configurable: { a: 1 } },
        context: { a: 1 },
      }),
      step("list by a wrong status", "GET", `${thread}/runs?status=tired`),
      step("read a missing one", "GET", `${thread}/runs/${missing}`),
      step("join a missing one", "GET", `${thread}/runs/${missing}/join`),
      step("cancel a missing one", "POST", `${thread}/runs/${missing}/cancel`),
      step("delete a missing one", "DELETE", `${thread}/runs/${missing}`),
    ]),
    step("missing thread", "POST", `/threads/${missing}/runs/wait`, run),
    step("missing thread, created", "POST", "/threads/22222222-2222-4222-8222-222222222222/runs/wait", {
      ...run,
      if_not_exists: "create",
    }),
    step("wrong thread", "POST", "/threads/x/runs/wait", run),
    step("list of a missing thread", "GET", `/threads/${missing}/runs`),
    ...onThread("input", (thread) => [
      step("input that is not an object", "POST", `${thread}/runs/wait`, { assistant_id: "count", input: 5 }),
    ]),
    ...onThread("no input", (thread) => [
      step("no input", "POST", `${thread}/runs/wait`, { assistant_id: "count" }),
    ]),
    step("context", "POST", "/runs/wait", {
      assistant_id: "configured",
      input: inputs.configured,
      context: { tone: "cold" },
    }),
    ...onThread("webhook", (thread) => [
      step("wrong webhook", "POST", `${thread}/runs`, { ...run, webhook: "ftp://example.com" }),
    ]),
    ...onThread("delay", (thread) => [
      step("wrong delay", "POST", `${thread}/runs`, { ...run, after_seconds: "soon" }, { long: true }),
    ]),
    ...onThread("stopping", (thread) => [
      step("interrupt before a node", "POST", `${thread}/runs/wait`, {
        ...run,
        interrupt_before: ["second"],
      }),
      step("thread before that node", "GET", thread),
      step("state before that node", "GET", `${thread}/state`),
      step("go on", "POST", `${thread}/runs/wait`, { assistant_id: "count", input: null }),
      step(
        "from a checkpoint that is missing",
        "POST",
        `${thread}/runs/wait`,
        { ...run, checkpoint_id: missing },
        { long: true },
      ),
    ]),
    ...onThread("stopping after", (thread) => [
      step(
        "interrupt after a node",
        "POST",
        `${thread}/runs/wait`,
        { ...run, interrupt_after: "*" },
        { long: true },
      ),
      step("state after that node", "GET", `${thread}/state`, undefined, { long: true }),
    ]),
  ];
}

function commands(): Step[] {
  const run = { assistant_id: "count", input: inputs.count };
  return [
    ...["goto", "Send", "update", "resume"].flatMap((what) => {
      const commands: Record<string, object> = {
        goto: { goto: "second" },
        Send: { goto: { node: "work", input: {} } },
        update: { update: { topic: "u" } },
        resume: { resume: "nothing waits" },
      };
      const graph = what === "Send" ? "spread" : "count";
      return onThread(`command ${what}`, (thread) => [
        step(`run before a command (${what})`, "POST", `${thread}/runs/wait`, {
          assistant_id: graph,
          input: inputs.count,
        }),
        step(`command with ${what}`, "POST", `${thread}/runs/wait`, {
          assistant_id: graph,
          command: commands[what],
        }),
        step(`state after a command (${what})`, "GET", `${thread}/state`),
      ]);
    }),
    ...onThread("wrong command", (thread) => [
      step(
        "command and input",
        "POST",
        `${thread}/runs/wait`,
        { ...run, command: { update: {} } },
        { long: true },
      ),
      step("wrong command", "POST", `${thread}/runs/wait`, {
        assistant_id: "count",
        command: { dance: true },
      }),
    ]),
  ];
}

function runs(): Step[] {
  const run = { assistant_id: "count", input: inputs.count };
  return [
    ...onThread("listed", (thread) => [
      step("one run", "POST", `${thread}/runs/wait`, run),
      step("another run", "POST", `${thread}/runs/wait`, run),
      step("list", "GET", `${thread}/runs?limit=1`),
      step("list with fields", "GET", `${thread}/runs?limit=1&select=run_id&select=status`),
    ]),
    ...onThread("busy", (thread) => [
      step(
        "create a slow one",
        "POST",
        `${thread}/runs`,
        { assistant_id: "slow", input: { topic: "long" } },
        { keep: { slow: "run_id" } },
      ),
      step("state while it waits", "GET", `${thread}/state`, undefined, {
        until: (body) => (body as { next: string[] }).next[0] === "wait",
      }),
      step("another is refused", "POST", `${thread}/runs`, { ...run, multitask_strategy: "reject" }),
      step("busy thread", "GET", thread),
      step("cancel", "POST", `${thread}/runs/{slow}/cancel?wait=true`),
      step("read the canceled one", "GET", `${thread}/runs/{slow}`),
      step("cancel again", "POST", `${thread}/runs/{slow}/cancel`),
      step("thread after the cancel", "GET", thread),
    ]),
    ...onThread("deleted", (thread) => [
      step("create one to delete", "POST", `${thread}/runs`, run, { keep: { done: "run_id" } }),
      step("join it", "GET", `${thread}/runs/{done}/join`),
      step("stream it again", "GET", `${thread}/runs/{done}/stream`),
      step("delete it", "DELETE", `${thread}/runs/{done}`),
    ]),
    step("create statelessly", "POST", "/runs", run),
    step("create in a batch", "POST", "/runs/batch", [run, run]),
    step("create an empty batch", "POST", "/runs/batch", []),
    step("cancel nothing", "POST", "/runs/cancel", {}),
    step("stateless with a strategy", "POST", "/runs/wait", { ...run, multitask_strategy: "enqueue" }),
    step("stateless, kept", "POST", "/runs/wait", { ...run, on_completion: "keep" }),
    step("stateless with a wrong end", "POST", "/runs/wait", { ...run, on_completion: "burn" }),
  ];
}

function interrupts(): Step[] {
  return (["ask", "parallel"] as const).flatMap((graph) => {
    const t = `/threads/{interrupted_${graph}}`;
    const run = { assistant_id: graph, input: inputs[graph] };
    const name = (what: string) => `${what} (${graph}, interrupted)`;
    return [
      step(
        name("create a thread"),
        "POST",
        "/threads",
        {},
        { keep: { [`interrupted_${graph}`]: "thread_id" } },
      ),
      step(name("wait"), "POST", `${t}/runs/wait`, run),
      step(name("thread"), "GET", t),
      step(name("state"), "GET", `${t}/state`),
      step(name("history"), "GET", `${t}/history?limit=20`, undefined, { long: true }),
      step(name("stream of values"), "POST", "/runs/stream", { ...run, stream_mode: ["values"] }),
      step(name("stream of updates"), "POST", "/runs/stream", { ...run, stream_mode: ["updates"] }),
      step(name("resume"), "POST", `${t}/runs/wait`, { assistant_id: graph, command: { resume: "this" } }),
      step(name("state after that"), "GET", `${t}/state`),
      step(name("thread after that"), "GET", t),
      step(name("list"), "GET", `${t}/runs`),
    ];
  });
}

function crons(): Step[] {
  const cron = { assistant_id: "count", input: inputs.count, schedule: "0 0 1 1 *" };
  return [
    step("create", "POST", "/runs/crons", cron, { keep: { cron: "cron_id" } }),
    step(
      "create for a thread",
      "POST",
      "/threads/{thread}/runs/crons",
      { ...cron, metadata: { kind: "c" } },
      { keep: { thread_cron: "cron_id" } },
    ),
    step("create for a missing thread", "POST", `/threads/${missing}/runs/crons`, cron),
    step("create with a name for a schedule", "POST", "/runs/crons", { ...cron, schedule: "@yearly" }),
    step("create with seconds", "POST", "/runs/crons", { ...cron, schedule: "0 0 1 1 * 30" }),
    step("create with a wrong schedule", "POST", "/runs/crons", { ...cron, schedule: "often" }),
    step("create without a schedule", "POST", "/runs/crons", { assistant_id: "count" }),
    step("create of an unknown graph", "POST", "/runs/crons", { ...cron, assistant_id: "none" }),
    step("create with an end in the past", "POST", "/runs/crons", {
      ...cron,
      end_time: "2020-01-01T00:00:00Z",
    }),
    step("create with a time zone", "POST", "/runs/crons", { ...cron, timezone: "Europe/Berlin" }),
    step("create with a wrong time zone", "POST", "/runs/crons", { ...cron, timezone: "Mars/Crater" }),
    step("create, disabled", "POST", "/runs/crons", { ...cron, enabled: false }),
    step("read", "GET", "/runs/crons/{cron}"),
    step("read a missing one", "GET", `/runs/crons/${missing}`),
    step("change", "PATCH", "/runs/crons/{cron}", { schedule: "0 0 2 2 *", enabled: false }),
    step("change with a wrong schedule", "PATCH", "/runs/crons/{cron}", { schedule: "often" }),
    step("change a missing one", "PATCH", `/runs/crons/${missing}`, { enabled: false }),
    step("search", "POST", "/runs/crons/search", { assistant_id: "{assistant}" }),
    step("search by thread", "POST", "/runs/crons/search", { thread_id: "{thread}" }),
    step("search by state", "POST", "/runs/crons/search", { enabled: false, limit: 1 }),
    step("search with fields", "POST", "/runs/crons/search", {
      thread_id: "{thread}",
      select: ["cron_id", "schedule"],
    }),
    step("search in an order", "POST", "/runs/crons/search", {
      thread_id: "{thread}",
      sort_by: "next_run_date",
      sort_order: "asc",
    }),
    step("search with a wrong limit", "POST", "/runs/crons/search", { limit: 0 }),
    step("count", "POST", "/runs/crons/count", { thread_id: "{thread}" }),
    step("delete", "DELETE", "/runs/crons/{cron}"),
    step("delete again", "DELETE", "/runs/crons/{cron}"),
    step("delete the thread's cron", "DELETE", "/runs/crons/{thread_cron}"),
  ];
}

function store(): Step[] {
  const item = (key: string, value: unknown) => ({ namespace: ["shop", "items"], key, value });
  const filters: [string, unknown][] = [
    ["equal", { color: "red" }],
    ["operator $eq", { color: { $eq: "red" } }],
    ["operator $ne", { color: { $ne: "red" } }],
    ["operator $gt", { price: { $gt: 1 } }],
    ["operator $gte", { price: { $gte: 2 } }],
    ["operator $lt", { price: { $lt: 2 } }],
    ["operator $lte", { price: { $lte: 1 } }],
    ["unknown operator", { price: { $near: 1 } }],
    ["object", { size: { w: 1 } }],
    ["list", { tags: ["a"] }],
    ["null", { note: null }],
    ["missing field", { nothing: 1 }],
  ];
  return [
    step(
      "put",
      "PUT",
      "/store/items",
      item("one", { color: "red", price: 1, size: { w: 1 }, tags: ["a"], note: null }),
    ),
    step("put another", "PUT", "/store/items", item("two", { color: "blue", price: 2 })),
    step("put over it", "PUT", "/store/items", item("two", { color: "green", price: 2 })),
    step("put no object", "PUT", "/store/items", item("three", "text")),
    step("put without a key", "PUT", "/store/items", { namespace: ["shop"], value: {} }),
    step("put without a namespace", "PUT", "/store/items", { namespace: [], key: "k", value: {} }),
    step("put with an empty label", "PUT", "/store/items", { namespace: [""], key: "k", value: {} }),
    step("put with a dot in a label", "PUT", "/store/items", { namespace: ["a.b"], key: "k", value: {} }),
    step("put with a lifetime", "PUT", "/store/items", { ...item("four", { price: 4 }), ttl: 60 }),
    step("put with a wrong lifetime", "PUT", "/store/items", {
      namespace: ["other"],
      key: "k",
      value: {},
      ttl: -1,
    }),
    step("get", "GET", "/store/items?namespace=shop.items&key=one"),
    step("get a missing one", "GET", "/store/items?namespace=shop.items&key=none"),
    step("get without a key", "GET", "/store/items?namespace=shop.items"),
    step("search", "POST", "/store/items/search", { namespace_prefix: ["shop"] }),
    step("search everything", "POST", "/store/items/search", { namespace_prefix: [], filter: { price: 4 } }),
    step("search without a prefix", "POST", "/store/items/search", {}),
    step("search with a wrong limit", "POST", "/store/items/search", {
      namespace_prefix: ["shop"],
      limit: 0,
    }),
    step("search with an offset", "POST", "/store/items/search", {
      namespace_prefix: ["shop"],
      offset: 1,
      limit: 1,
    }),
    ...filters.map(([what, filter]) =>
      step(`search with a filter: ${what}`, "POST", "/store/items/search", {
        namespace_prefix: ["shop"],
        filter,
      }),
    ),
    step("namespaces", "POST", "/store/namespaces", {}),
    step("namespaces by prefix", "POST", "/store/namespaces", { prefix: ["shop"], max_depth: 1 }),
    step("namespaces by suffix", "POST", "/store/namespaces", { suffix: ["items"] }),
    step("namespaces with a wrong depth", "POST", "/store/namespaces", { max_depth: 0 }),
    step("delete", "DELETE", "/store/items", { namespace: ["shop", "items"], key: "one" }),
    step("delete again", "DELETE", "/store/items", { namespace: ["shop", "items"], key: "one" }),
    step("delete without a key", "DELETE", "/store/items", { namespace: ["shop"] }),
  ];
}
