import type { Exceptions } from "../judge/exceptions";

/** Differences between actual responses and the published responses. */
export const exceptions: Exceptions = [
  [
    /^POST \/threads\/\{thread_id\}\/(commands|stream\/events) 400\./,
    "forwarded to the runtime, which has its own error messages",
  ],
  [/^(POST|GET|DELETE) \/(mcp|a2a)\/\S* 40\d: has a body$/, "which says why"],
  [
    /^GET \/info 200\.(context|langgraph_js_version): not published$/,
    "specific to the runtime, whose graphs are in JavaScript",
  ],
  [
    /^(GET|PATCH|POST) \S*\/crons\S* 200(\[\])?\.(end_time|thread_id): must be string$/,
    "null for missing fields of a cron, as in the types of the official client",
  ],
  [
    /^(GET|PATCH|POST) \S*\/crons\S* 200(\[\])?\.(on_run_completed|timezone): not published$/,
    "not in the schema; published as fields that a search can select",
  ],
  [/^GET \/store\/items 200: must be object$/, "null for no item, as in the types of the official client"],
  [
    /\.(parent_checkpoint|checkpoint\.checkpoint_map|tasks\[\]\.(checkpoint|state)): must be object$/,
    "null if there is none, as in the types of the official client",
  ],
  [/\.tasks\[\]\.error: must be string$/, "null if there is none, as in the types of the official client"],
  [/\.tasks\[\]\.(path|result): not published$/, "the runtime says more about a task"],
  [
    / \/threads\S* 200(\[\])?\.values: must be object$/,
    "null until there is a state, as in the public server",
  ],
  [/ \/threads\S* 200(\[\])?\.error: not published$/, "in the type of the official client"],
  [/\/(state|history)\S* 200(\[\])?\.(parent_)?checkpoint_id: not published$/, "the public server has them"],
  [
    /^POST \/threads\/\{thread_id\}\/state 200\.configurable: not published$/,
    "location of the checkpoint in the types of the official client",
  ],
  [
    /^POST \/store\/namespaces 200: must be array$/,
    "an object with the list, as in the types of the official client",
  ],
];
