// Imported before the runtime. Replaces parts of it that cannot be replaced in any other way.
import { registerHooks } from "node:module";

const server = import.meta.resolve("@langchain/langgraph-api/server");
const within = (path) => new URL(path, server).href;

/** Replacement modules, keyed by the importing module of the runtime and by the import specifier. */
const replacements = {
  [server]: { "@hono/node-server": new URL("guarded-serve.mjs", import.meta.url) },
  [within("./api/runs.mjs")]: {
    "../utils/run-auth.mjs": new URL("runs/run-configuration.mjs", import.meta.url),
  },
  [within("./api/threads.mjs")]: { "../state.mjs": new URL("threads/thread-state.mjs", import.meta.url) },
  [within("./api/assistants.mjs")]: { "../graph/load.mjs": new URL("graph-loading.mjs", import.meta.url) },
  [within("./storage/ops.mjs")]: { "../graph/load.mjs": new URL("graph-loading.mjs", import.meta.url) },
};

registerHooks({
  resolve(specifier, context, next) {
    const ours = replacements[context.parentURL]?.[specifier];
    return ours ? { url: ours.href, format: "module", shortCircuit: true } : next(specifier, context);
  },
});
