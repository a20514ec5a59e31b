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
import { exceptions } from "./exceptions";

const judge = new Judge(published.agentServer);

/** Published statuses that none of the requests in the walk can cause. */
const unreachable: Exceptions = [
  [/^GET \/assistants\/\{assistant_id\}\/schemas 422$/, "it accepts any text"],
  [/ 500$/, "for what is broken"],
  [/^POST \/\w+(\/crons)?\/(count|search) 404$/, "documented without its condition"],
  [/^POST \/(mcp\/ 405|threads\/\{thread_id\}\/copy 409)$/, "documented without its condition"],
  [/^GET \/store\/items 400$/, "documented without its condition; what does not validate is a 422"],
  [/^POST \/runs(\/(batch|stream|wait))? 409$/, "a run without a thread cannot be in the way of another"],
];

// This test is slow because it reads the schemas of a graph.
test("returns only published responses from agent servers", async () => {
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

/** Returns the published statuses that no response had, for all operations that are served. */
function unanswered(exchanges: readonly Exchange[]): string[] {
  const seen = new Set(
    exchanges.map((exchange) => `${judge.operationOf(exchange)} ${exchange.answer!.status}`),
  );
  return Object.entries(published.agentServer.operations)
    .filter(([name]) => coverage[name as keyof typeof coverage].how !== "absent")
    .flatMap(([name, { answers }]) => Object.keys(answers).map((status) => `${name} ${status}`))
    .filter((answer) => !seen.has(answer));
}
