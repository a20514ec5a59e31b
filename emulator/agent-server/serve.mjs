// One agent server process: imports the graphs of one revision, and serves them until it is asked to stop.
//
//   node --import typescript.mjs serve.mjs '<launch as JSON>'
//
// File descriptor 3 is the link to the control plane. See process/child/parent.mjs.
import "./runtime/replacements.mjs";
import { describeFailure } from "./failure.mjs";
import { faultOfGraph } from "./graphs.mjs";
import { report } from "../process/child/parent.mjs";

const { openInternalApi } = await import("./internal-api/server.mjs");
const { acceptSends } = await import("./runtime/sends.mjs");
const { startRuntime } = await import("./runtime/start.mjs");
const { provideSchemas } = await import("./schemas/graph-schemas.mjs");

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

// The supervisor stops this process with the control plane. Without the supervisor, the data must not stay locked
// permanently.
const supervisor = process.ppid;
setInterval(() => process.ppid === supervisor || process.exit(1), 1000).unref();

process.on("exit", (code) => report({ type: "exit", code, stage }));

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
  provideSchemas(launch);
  await acceptSends(launch.graphs.map(({ file }) => file));
  const runtime = await startRuntime({
    ...launch.options,
    port: 0,
    host: "127.0.0.1",
    nWorkers: launch.workers,
    // The runtime keeps its state here until it receives the deployment's data. The paths of the graphs are absolute.
    cwd: launch.stateFolder,
    graphs: Object.fromEntries(launch.graphs.map((graph) => [graph.id, `${graph.file}:${graph.export}`])),
  });
  const internalApi = await openInternalApi(runtime, {
    graphs: launch.graphs.map(({ id }) => id),
    http: launch.options.http ?? {},
    own_authentication: launch.options.auth?.path !== undefined,
    workers: launch.workers,
  });
  const stop = () => {
    enter("stop");
    runtime.stop().finally(() => process.exit(0));
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  stage = "serve";
  report({ type: "listening", origin: runtime.origin, internalApi });
} catch (error) {
  fail({ stage: "listen", ...describeFailure(error, launch.root) });
}
