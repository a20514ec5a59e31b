// Imported before the runtime: parts of it that it cannot be given otherwise are replaced by ours.
import { registerHooks } from "node:module";

const server = import.meta.resolve("@langchain/langgraph-api/server");
const within = (path) => new URL(path, server).href;

/** Ours, by the module of the runtime that imports and by what it imports. */
const replacements = {
  [server]: { "@hono/node-server": "guarded-serve.mjs" },
  [within("./api/runs.mjs")]: { "../utils/run-auth.mjs": "run-configuration.mjs" },
  [within("./api/threads.mjs")]: { "../state.mjs": "thread-state.mjs" },
};

registerHooks({
  resolve(specifier, context, next) {
    const file = replacements[context.parentURL]?.[specifier];
    if (file === undefined) return next(specifier, context);
    return { url: new URL(file, import.meta.url).href, format: "module", shortCircuit: true };
  },
});
