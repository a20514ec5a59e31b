import { exceptions as published } from "../../published/agent-server/exceptions";
import type { Exceptions } from "../../published/judge/exceptions";

/** Documented differences between the responses of an agent server and the published API. */
export const exceptions: Exceptions = [
  ...published,
  [
    /^\w+ \/threads\/\S* 200(\[\])?\.(checkpoint|created_at): must be (object|string)$/,
    "null without a state, as on the public server",
  ],
  [/\.interrupts\[\]\.value: must be object$/, "any value that the graph specifies"],
  [/^POST \/a2a\/\{assistant_id\} 400: a refusal without detail$/, "JSON-RPC defines its errors"],
  [
    /^POST \/threads\/\{thread_id\}\/(commands|stream\/events) 400: a refusal without detail$/,
    "forwarded to the runtime, which refuses with another text",
  ],
  [
    /^(POST|PATCH) \S*\/runs\/crons\S* 400: not published$/,
    "status with which the public server refuses `context` next to `config.configurable`",
  ],
  [/^GET \/threads\/\{thread_id\}\/storage 501: blames the server$/, "absent, as documented"],
];
