import { firstCause, readLog } from "../../../../provider/deployment/rollout/log-tail";

test.each([
  [["npm ci", "npm ERR! code E404", "npm ERR! gone"], "npm ERR! code E404"],
  [
    ["compiled with 0 errors", "warning: old", "TypeError: x is not a function"],
    "TypeError: x is not a function",
  ],
  [
    ["src/graph.ts(3,1): error TS2304: Cannot find name 'x'."],
    "src/graph.ts(3,1): error TS2304: Cannot find name 'x'.",
  ],
  [
    [
      "start",
      "Traceback (most recent call last):",
      '  File "a.py", line 1',
      "ModuleNotFoundError: No module named 'x'",
    ],
    "ModuleNotFoundError: No module named 'x'",
  ],
  [["fatal: repository 'x' not found"], "fatal: repository 'x' not found"],
  [["all is well", "errors.log rotated"], undefined],
  [[], undefined],
])("finds the first error in %j", (lines, cause) => {
  expect(firstCause(lines)).toBe(cause);
});

/** Returns the tail of a runtime log that consists of these lines. */
async function tailOf(messages: string[], isVerified: boolean): Promise<string> {
  const tailLogs = (_deployment: string, _revision: string, type: string) =>
    Promise.resolve(type === "deploy" ? messages.map((message) => ({ message })) : undefined);
  const op = {
    plane: { client: { revisions: { tailLogs } } },
    report: { redact: (text: string) => text },
    time: {},
  };
  const { tails } = await readLog(op as never, "d", "r", "DEPLOYED", isVerified);
  return tails.join("\n");
}

const thread = "00000000-0000-4000-8000-000000000001";
const smokeRequests = [
  "info: \u25aa <-- POST /assistants/search",
  "info: \u25aa --> POST /threads 200 3ms",
  `info: \u25aa <-- POST /threads/${thread}/runs`,
  `GET /threads/${thread}/runs/${thread} 200 1ms`,
  `GET /threads/${thread}/runs/${thread}/join 200 1ms {"status":200}`,
  `127.0.0.1 - "GET /threads/${thread}/state HTTP/1.1" 200`,
  `DELETE /threads/${thread} 204 1ms`,
];
const others = [
  "TypeError: model is not a function",
  `Background run failed {"thread_id":"${thread}"}`,
  "POST /threads/search 500",
  `POST /threads/${thread}/runs/stream 500`,
  "GET /store/items 404",
];

test("omits smoke run requests from the log of a failed verification", async () => {
  const mixed = smokeRequests.flatMap((line, place) => [line, ...(others[place] ? [others[place]] : [])]);

  expect(await tailOf(mixed, true)).toBe(
    ["Last lines of the deploy log:", ...others.map((line) => `  ${line}`)].join("\n"),
  );
});

test("keeps requests for threads in the log of a revision that was not verified", async () => {
  const tail = await tailOf(smokeRequests, false);

  for (const line of smokeRequests) expect(tail).toContain(line);
});
