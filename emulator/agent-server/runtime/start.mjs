import { StartServerSchema, startServer } from "@langchain/langgraph-api/server";
import { setTimeout as sleep } from "node:timers/promises";
import { holdFolder } from "../data-folder.mjs";
import { isGuarded } from "./guarded-serve.mjs";
import { checkpointer, FileSystemPersistence, schemas, store } from "./modules.mjs";
import { Operations } from "./operations.mjs";
import { flushAll, keepPromptly } from "./persistence.mjs";
import { chooseHeaders } from "./runs/run-configuration.mjs";
import { handOutCopies } from "./store-items.mjs";

const lockWithinMs = 15_000;
const drainMs = 150;

/** Starts the runtime's server with the documented operations. */
export async function startRuntime(options) {
  keepPromptly();
  handOutCopies();
  // `Threads.search` supports this order.
  schemas.ThreadSearchRequest.shape.sort_by.unwrap().options.push("state_updated_at");
  chooseHeaders(options.http?.configurable_headers ?? undefined);
  const conn = new FileSystemPersistence(".langgraphjs_ops.json", () => ({
    runs: {},
    threads: {},
    assistants: {},
    assistant_versions: [],
    retry_counter: {},
  }));
  await conn.initialize(options.cwd);
  const operations = new Operations(conn);
  const { host, cleanup } = await startServer(StartServerSchema.parse(options), { ops: operations });
  if (!isGuarded()) throw new Error("the runtime has opened its port without a guard");
  operations.origin = `http://${host}`;
  let lock;
  return {
    origin: operations.origin,
    operations,
    /** Switches to the data in this folder. Resolves with the number of interrupted runs. */
    async takeOver(folder) {
      const held = await holdFolder(folder, lockWithinMs);
      lock?.close();
      lock = held;
      operations.runs.close();
      for (const part of [conn, checkpointer, store]) await part.initialize(folder);
      await operations.assistants.matchGraphs();
      const cutRuns = await operations.endCutRuns();
      operations.runs.open();
      return cutRuns;
    },
    async stop() {
      operations.runs.close();
      // Done first, because there may be little time.
      await flushAll();
      // From now on, no new requests arrive; running ones are completed.
      await sleep(drainMs);
      await cleanup();
      await flushAll();
    },
  };
}
