import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/**
 * Makes the graphs accept the `Send` of any copy of their library: a project has its own copy, while the runtime
 * creates those of a `command` with its copy. The library recognizes them only by their class.
 */
export async function acceptSends(files) {
  const classes = await Promise.all(files.map(async (file) => (await copyFor(file))?.Send));
  for (const Send of new Set(classes.filter(Boolean)))
    Object.defineProperty(Send, Symbol.hasInstance, { value: (value) => value?.lg_name === "Send" });
}

/**
 * Returns the copy that a graph file has loaded, as CommonJS or as an ES module, or `undefined` if it has
 * none.
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
