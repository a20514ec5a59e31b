// Schemas of the inputs and outputs of graphs, as declared by their types. Reading types takes seconds and hundreds of
// megabytes, so a separate process does it when the schemas are first requested. They are rarely requested, and reading
// them earlier would make every rollout and restart take longer. One process reads all unknown graphs, the requested
// one first. Each result is written to a file of the revision immediately, so that another process can read the rest
// after an interruption.
import { fork } from "node:child_process";
import { once } from "node:events";
import { appendFile, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { HTTPException } from "hono/http-exception";
import { GRAPH_SCHEMA } from "../runtime/modules.mjs";
import { memoryMb, readerFlags } from "./reader-limits.mjs";

const typeReader = fileURLToPath(new URL("read-types.mjs", import.meta.url));
/**
 * Timeout for reading the types of all graphs, in milliseconds. The environment variable belongs to the runtime, but
 * the runtime's default is too short for a busy machine.
 */
const withinMs = Number(process.env.LANGGRAPH_SCHEMA_RESOLVE_TIMEOUT_MS) || 180_000;

/**
 * Makes the runtime use the schemas from a separate process instead of reading the types of the graphs itself.
 *
 * @param reader - Script that reads the types in the separate process.
 */
export function provideSchemas(launch, reader = typeReader) {
  const schemas = new GraphSchemas(launch, reader);
  for (const { id } of launch.graphs) {
    // The runtime returns this value from an async function, so it may also be a promise.
    Object.defineProperty(GRAPH_SCHEMA, id, {
      enumerable: true,
      get() {
        const found = schemas.of(id);
        // The runtime calls this twice, but awaits the result only once.
        found.catch(() => undefined);
        return found;
      },
    });
  }
}

class GraphSchemas {
  #launch;
  #reader;
  /** Schemas of each graph, or the reason that the graph has none. */
  #results = new Map();
  #loaded;
  #reading;
  /** Resolves when the next result arrives. */
  #next = Promise.withResolvers();
  #written = Promise.resolve();

  constructor(launch, reader) {
    this.#launch = launch;
    this.#reader = reader;
  }

  /** Returns the schemas of a graph and its subgraphs, by namespace. */
  async of(graphId) {
    await (this.#loaded ??= this.#load());
    const { schemas, fault } = this.#results.get(graphId) ?? (await this.#read(graphId));
    if (schemas) return schemas;
    throw new HTTPException(422, {
      message: `The types of the graph "${graphId}" contain no schemas: ${fault}`,
    });
  }

  async #load() {
    const text = await readFile(this.#launch.schemasFile, "utf8").catch(() => "");
    for (const line of text.split("\n")) {
      try {
        this.#add(JSON.parse(line));
      } catch {
        // The line is incomplete, because the process that wrote it was interrupted.
      }
    }
  }

  #add(results) {
    for (const [id, result] of Object.entries(results)) this.#results.set(id, result);
  }

  async #read(graphId) {
    const reading = (this.#reading ??= this.#readTypes(graphId).finally(() => (this.#reading = undefined)));
    try {
      while (!this.#results.has(graphId)) await Promise.race([this.#next.promise, reading]);
    } catch (error) {
      throw new HTTPException(503, {
        message: `The schemas of the graph "${graphId}" are not available yet: ${error.message}`,
        cause: error,
      });
    }
    return this.#results.get(graphId);
  }

  /** Reads the types in a separate process. Rejects unless the process has sent results for all graphs. */
  async #readTypes(first) {
    const { graphs, root } = this.#launch;
    const missing = graphs.filter(({ id }) => !this.#results.has(id));
    missing.sort((one, other) => Number(other.id === first) - Number(one.id === first));
    const child = fork(this.#reader, [JSON.stringify({ graphs: missing, root })], {
      execArgv: readerFlags,
      // Node options of the project's own process do not apply to this one.
      env: { ...process.env, NODE_OPTIONS: "" },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      timeout: withinMs,
      killSignal: "SIGKILL",
    });
    child.on("message", (results) => {
      this.#add(results);
      this.#keep(results);
      this.#next.resolve();
      this.#next = Promise.withResolvers();
    });
    const [code, signal] = await once(child, "close");
    await this.#written;
    if (missing.every(({ id }) => this.#results.has(id))) return;
    if (child.killed)
      throw new Error(`reading the types of the graphs took longer than ${withinMs / 1000} s.`);
    throw new Error(
      `the process that reads the types of the graphs (limit: ${memoryMb} MB) ${signal ? `was terminated by ${signal}` : `exited with code ${code}`}.`,
    );
  }

  #keep(results) {
    // Ends a line that an interrupted process may have left incomplete.
    const line = `\n${JSON.stringify(results)}`;
    this.#written = this.#written
      .then(() => appendFile(this.#launch.schemasFile, line))
      .catch((error) => {
        console.warn(
          `Warning: the schemas of the graphs must be read again at the next start: ${error.message}`,
        );
      });
  }
}
