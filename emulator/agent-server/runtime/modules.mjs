import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

// Parts of the runtime that its package does not export. They are the instances that its server uses, so changes to
// them take effect there. This is also why the package is pinned to one version.
const server = import.meta.resolve("@langchain/langgraph-api/server");
const part = (path) => import(new URL(path, server).href);

export const { FileSystemAssistants, FileSystemOps, FileSystemRuns, FileSystemThreads, StreamManager } =
  await part("./storage/ops.mjs");
export const { FileSystemPersistence, deserialize, serialize } = await part("./storage/persist.mjs");
export const { checkpointer } = await part("./storage/checkpoint.mjs");
export const { store } = await part("./storage/store.mjs");
export { getAssistantId, getGraph, GRAPHS, GRAPH_SCHEMA, requireGraph } from "./graph-loading.mjs";
// eslint-disable-next-line plain-english/plain-words -- The runtime uses this spelling.
export const { serialiseAsDict: serializeAsDict, serializeError } = await part("./utils/serde.mjs");
export const { PROTOCOL_STREAM_RUN_KEY } = await part("./protocol/constants.mjs");
export const runAuthentication = await part("./utils/run-auth.mjs");
export const schemas = await part("./schemas.mjs");
export const stateSnapshot = await part("./state.mjs");
/** The runtime's copy of the package that serializes its state. */
export const superjson = await import(pathToFileURL(createRequire(server).resolve("superjson")).href);
