import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/**
 * Makes the graphs accept the `Send` of any copy of their library. The library recognizes a `Send` only by its class. A
 * project has its own copy of the library, but the runtime uses another copy to create the `Send` of a `command`.
 */
export async function acceptSends(files) {
  const classes = await Promise.all(files.map(async (file) => (await copyFor(file))?.Send));
  for (const Send of new Set(classes.filter(Boolean)))
    Object.defineProperty(Send, Symbol.hasInstance, { value: (value) => value?.lg_name === "Send" });
}

/**
 * Returns the copy of the library that a graph file has loaded, as CommonJS or as an ES module, or `undefined` if it
 * has not loaded any copy.
 */
async function copyFor(file) {
  const require = createRequire(file);
  try {
    const path = require.resolve("@langchain/langgraph");
    const asModule = pathToFileURL(path.replace(/\.cjs$/, ".js")).href;
    return require.cache[path]?.exports ?? (await import(asModule));
  } catch {
    return undefined;
  }
}
