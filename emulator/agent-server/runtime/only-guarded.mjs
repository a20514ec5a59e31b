// Imported before the runtime: its server opens its port with our `serve`, which it cannot be given otherwise.
import { registerHooks } from "node:module";

const runtime = import.meta.resolve("@langchain/langgraph-api/server");
const guarded = new URL("guarded-serve.mjs", import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === "@hono/node-server" && context.parentURL === runtime)
      return { url: guarded, format: "module", shortCircuit: true };
    return next(specifier, context);
  },
});
