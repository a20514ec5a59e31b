import { HTTPException } from "hono/http-exception";
import { FileSystemAssistants, getAssistantId, GRAPHS, requireGraph } from "./modules.mjs";

/** Matches the IDs that the gateway accepts: UUIDs of any version. */
const guid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Assistants with the documented behavior. Overrides the methods of the runtime that behave differently. */
export class Assistants extends FileSystemAssistants {
  /** Default assistants of the graphs, by ID. They are recreated when another data folder is loaded. */
  #ofGraphs = new Map();

  async put(assistantId, options, auth) {
    requireGraph(options.graph_id);
    // The runtime creates the default assistants before it serves requests.
    if (assistantId === getAssistantId(options.graph_id) && !this.#ofGraphs.has(assistantId))
      this.#ofGraphs.set(assistantId, options);
    return super.put(assistantId, { ...options, ...inStep(options) }, auth);
  }

  async get(assistantId, auth) {
    requireId(assistantId);
    return super.get(assistantId, auth);
  }

  async patch(assistantId, options, auth) {
    requireId(assistantId);
    if (options?.graph_id != null) requireGraph(options.graph_id);
    return super.patch(assistantId, { ...options, ...inStep(options) }, auth);
  }

  /**
   * Deletes an assistant. The default assistant of a graph is reset to its initial state instead, because the graph
   * cannot be used without it.
   */
  async delete(assistantId, deleteThreads, auth) {
    requireId(assistantId);
    const deleted = await super.delete(assistantId, deleteThreads, auth);
    const ofGraph = this.#ofGraphs.get(assistantId);
    if (ofGraph) await this.put(assistantId, ofGraph, undefined);
    return deleted;
  }

  /** Searches in any sort order; the runtime supports only one. */
  async *search(options, auth) {
    const { limit, offset, sort_by: by = "created_at", sort_order: order = "desc" } = options;
    const found = [];
    const all = { ...options, limit: Number.MAX_SAFE_INTEGER, offset: 0 };
    for await (const { assistant } of super.search(all, auth)) found.push(assistant);
    const sign = order === "asc" ? 1 : -1;
    found.sort((a, b) => sign * (a[by] < b[by] ? -1 : a[by] > b[by] ? 1 : 0));
    for (const assistant of found.slice(offset, offset + limit)) yield { assistant, total: found.length };
  }

  /**
   * Returns the versions of an assistant. The update time of a version is its creation time, because a version never
   * changes.
   */
  async getVersions(assistantId, options, auth) {
    const versions = await super.getVersions(assistantId, options, auth);
    return versions.map((version) => ({ ...version, updated_at: version.created_at }));
  }

  /**
   * Restores all fields of a version. Without this override, the runtime would keep the graph, the context, and the
   * description of the previous version.
   */
  async setLatest(assistantId, number, auth) {
    requireId(assistantId);
    await super.setLatest(assistantId, number, auth);
    return this.conn.with((state) => {
      const { graph_id, context, description } = state.assistant_versions.find(
        (one) => one.assistant_id === assistantId && one.version === number,
      );
      return Object.assign(state.assistants[assistantId], { graph_id, context, description });
    });
  }

  /** Updates the assistants to match the graphs after different data has been loaded. */
  async matchGraphs() {
    await this.conn.with((state) => {
      for (const [id, { graph_id, metadata }] of Object.entries(state.assistants))
        if (metadata?.created_by === "system" && !(graph_id in GRAPHS)) delete state.assistants[id];
    });
    for (const [assistantId, options] of this.#ofGraphs) await this.put(assistantId, options, undefined);
  }
}

/** Rejects invalid IDs. Otherwise, the runtime would look up `__proto__` and change the prototype of all objects. */
function requireId(assistantId) {
  if (!guid.test(assistantId)) throw new HTTPException(404, { message: "Assistant not found" });
}

/**
 * Copies `context` to `config.configurable`, or vice versa, if one of them is missing. Both always have the same
 * values.
 */
function inStep({ config, context } = {}) {
  const configurable = config?.configurable;
  const given = (value) => value != null && typeof value === "object" && Object.keys(value).length > 0;
  if (given(context) && !given(configurable)) return { config: { ...config, configurable: context } };
  if (given(configurable) && !given(context)) return { context: configurable };
  return {};
}
