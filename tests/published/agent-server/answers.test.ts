import { Client } from "@langchain/langgraph-sdk";
import { coverage } from "../../../emulator/gateway/coverage";
import { runDeployment } from "../../emulator/gateway/deployment";
import { walk } from "../../emulator/gateway/walk";
import { published } from "../facts/published";
import { type Exceptions, unexplained } from "../judge/exceptions";
import { type Exchange, Judge } from "../judge/exchange";
import { walkFurther } from "../walk/agent-server";
import { Recorder } from "../walk/recorder";
import { recordingFetch } from "../walk/recording-fetch";

const judge = new Judge(published.agentServer);

/** In what answers are not as published. */
const exceptions: Exceptions = [
  [
    /^POST \/threads\/\{thread_id\}\/(commands|stream\/events) 400\./,
    "passed on to the runtime, which refuses in words of its own",
  ],
  [/^(POST|GET|DELETE) \/(mcp|a2a)\/\S* 40\d: has a body$/, "which says why"],
  [
    /^GET \/info 200\.(context|langgraph_js_version): not published$/,
    "the runtime's own; its graphs are JavaScript",
  ],
  [
    /^(GET|PATCH|POST) \S*\/crons\S* 200(\[\])?\.(end_time|thread_id): must be string$/,
    "null for what a cron does not have, as in the types of the official client",
  ],
  [
    /^(GET|PATCH|POST) \S*\/crons\S* 200(\[\])?\.(on_run_completed|timezone): not published$/,
    "not in the schema; published as fields that a search can select",
  ],
  [/^GET \/store\/items 200: must be object$/, "null for no item, as in the types of the official client"],
  [
    /\.(parent_checkpoint|checkpoint\.checkpoint_map|tasks\[\]\.(checkpoint|state)): must be object$/,
    "null where there is none, as in the types of the official client",
  ],
  [/\.tasks\[\]\.error: must be string$/, "null where there is none, as in the types of the official client"],
  [/\.tasks\[\]\.(path|result): not published$/, "the runtime says more about a task"],
  [
    / \/threads\S* 200(\[\])?\.values: must be object$/,
    "null until there is a state, as the public server has it",
  ],
  [/ \/threads\S* 200(\[\])?\.error: not published$/, "in the type of the official client"],
  [/\/(state|history)\S* 200(\[\])?\.(parent_)?checkpoint_id: not published$/, "the public server has them"],
  [
    /^POST \/threads\/\{thread_id\}\/state 200\.configurable: not published$/,
    "where the official client's type has the checkpoint",
  ],
  [
    /^POST \/store\/namespaces 200: must be array$/,
    "an object with the list, as in the types of the official client",
  ],
];

/** Published statuses that no request of the walk can lead to. */
const unreachable: Exceptions = [
  [
    /^GET \/assistants\/\{assistant_id\}\/schemas 422$/,
    "all that it takes is text, of which everything validates",
  ],
  [/ 500$/, "for what is broken"],
  [/^POST \/\w+(\/crons)?\/(count|search) 404$/, "documented without its condition"],
  [/^POST \/(mcp\/ 405|threads\/\{thread_id\}\/copy 409)$/, "documented without its condition"],
  [/^GET \/store\/items 400$/, "documented without its condition; what does not validate is a 422"],
  [/^POST \/runs(\/(batch|stream|wait))? 409$/, "a run without a thread cannot be in the way of another"],
];

// The schemas of a graph take long.
test("every answer of an agent server is one that is published", async () => {
  const { plane, url } = await runDeployment();
  const recorder = new Recorder(url, { "X-Api-Key": plane.apiKey });
  const callerOptions = { maxRetries: 0, fetch: recordingFetch(url, recorder) };
  const footprints = await walk(new Client({ apiUrl: url, apiKey: plane.apiKey, callerOptions }));
  await walkFurther(recorder, footprints);
  const { exchanges } = recorder;
  expect(
    unexplained(
      exchanges.flatMap((exchange) => judge.answer(exchange)),
      exceptions,
    ),
  ).toEqual([]);
  expect(unexplained(unanswered(exchanges), unreachable)).toEqual([]);
});

/** Published statuses that no answer had, of operations that are served. */
function unanswered(exchanges: readonly Exchange[]): string[] {
  const seen = new Set(
    exchanges.map((exchange) => `${judge.operationOf(exchange)} ${exchange.answer!.status}`),
  );
  return Object.entries(published.agentServer.operations)
    .filter(([name]) => coverage[name as keyof typeof coverage].how !== "absent")
    .flatMap(([name, { answers }]) => Object.keys(answers).map((status) => `${name} ${status}`))
    .filter((answer) => !seen.has(answer));
}
