// One agent server process: imports the graphs of one revision, then serves them until told to stop.
//
//   node --import tsx serve.mjs '<launch as JSON>'
//
// File descriptor 3 is the link to the control plane, see parent.mjs.
import { StartServerSchema, startServer } from "@langchain/langgraph-api/server";
import { describeFailure } from "./failure.mjs";
import { faultOfGraph } from "./graphs.mjs";
import { endWithParent, report } from "./parent.mjs";

const launch = JSON.parse(process.argv[2]);
let stage = "start";

function enter(next, graph) {
  stage = next;
  report({ type: "stage", stage, graph });
}

function fail(fault) {
  report({ type: "failed", ...fault });
  process.exit(1);
}

process.on("exit", (code) => report({ type: "exit", code, stage }));
await endWithParent();

for (const graph of launch.graphs) {
  enter("import", graph.id);
  try {
    const fault = await faultOfGraph(graph);
    if (fault !== undefined) fail({ stage: "export", graph: graph.id, message: fault });
  } catch (error) {
    fail({ stage: "import", graph: graph.id, ...describeFailure(error, launch.root) });
  }
}

enter("listen");
try {
  const { host, cleanup } = await startServer(
    StartServerSchema.parse({
      ...launch.options,
      port: 0,
      host: "127.0.0.1",
      nWorkers: launch.workers,
      // Where the runtime keeps its state; the graphs are given by absolute paths.
      cwd: launch.stateFolder,
      graphs: Object.fromEntries(launch.graphs.map((graph) => [graph.id, `${graph.file}:${graph.export}`])),
    }),
  );
  const stop = () => {
    enter("stop");
    cleanup().finally(() => process.exit(0));
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  stage = "serve";
  report({ type: "listening", origin: `http://${host}` });
} catch (error) {
  fail({ stage: "listen", ...describeFailure(error, launch.root) });
}
