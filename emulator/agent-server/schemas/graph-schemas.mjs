// What goes into the graphs and comes out of them, as their types say. Reading types takes seconds and hundreds of
// megabytes, for one graph or for all: so it is done for all at once, in a process of its own that gives the memory back,
// and once for a revision, which keeps the result. It starts when somebody first asks: hardly anybody does, and every
// rollout and restart would pay for it.
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { HTTPException } from "hono/http-exception";
import { GRAPH_SCHEMA } from "../runtime/modules.mjs";

const reader = fileURLToPath(new URL("read-types.mjs", import.meta.url));
const memoryMb = 1024;
/** The variable is the runtime's; its own limit is too short for a busy machine. */
const withinMs = Number(process.env.LANGGRAPH_SCHEMA_RESOLVE_TIMEOUT_MS) || 180_000;

/** Has the runtime take the schemas of these graphs from here instead of reading types itself. */
export function provideSchemas(launch) {
  const schemas = new GraphSchemas(launch);
  for (const { id } of launch.graphs) {
    // The runtime returns what it finds here from an async function, so that a promise is as good.
    Object.defineProperty(GRAPH_SCHEMA, id, { enumerable: true, get: () => schemas.of(id) });
  }
}

class GraphSchemas {
  #launch;
  #all;

  constructor(launch) {
    this.#launch = launch;
  }

  /** By namespace, the schemas of a graph and its subgraphs; rejects with a refusal that says why there are none. */
  of(graphId) {
    this.#all ??= this.#load();
    const found = this.#all.then(({ [graphId]: { schemas, fault } }) => {
      if (schemas) return schemas;
      throw new HTTPException(422, {
        message: `The types of the graph "${graphId}" tell no schemas: ${fault}`,
      });
    });
    // The runtime asks twice and waits once.
    found.catch(() => undefined);
    return found;
  }

  async #load() {
    const { schemasFile: file } = this.#launch;
    try {
      return JSON.parse(await readFile(file, "utf8"));
    } catch {
      // Nobody has asked yet.
    }
    try {
      const read = await readTypes(this.#launch);
      await keep(file, read);
      return read;
    } catch (error) {
      // The next one who asks may have more luck.
      this.#all = undefined;
      throw new HTTPException(503, {
        message: `The schemas of the graphs are not known: ${error.message}`,
        cause: error,
      });
    }
  }
}

async function readTypes({ graphs, root }) {
  const child = fork(reader, [JSON.stringify({ graphs, root })], {
    execArgv: [`--max-old-space-size=${memoryMb}`],
    // What the project loads into its own process is not for this one.
    env: { ...process.env, NODE_OPTIONS: "" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    timeout: withinMs,
    killSignal: "SIGKILL",
  });
  let read;
  child.on("message", (message) => (read = message));
  const [code, signal] = await once(child, "exit");
  if (read) return read;
  if (child.killed) throw new Error(`reading their types took longer than ${withinMs / 1000} s.`);
  throw new Error(
    `the process that reads their types, which may use ${memoryMb} MB, ended with ${signal ?? `exit code ${code}`}.`,
  );
}

async function keep(file, schemas) {
  try {
    await writeFile(`${file}.new`, JSON.stringify(schemas));
    await rename(`${file}.new`, file);
  } catch (error) {
    console.warn(
      `Warning: the schemas of the graphs have to be read again at the next start: ${error.message}`,
    );
    await rm(`${file}.new`, { force: true }).catch(() => undefined);
  }
}
