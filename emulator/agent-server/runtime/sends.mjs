import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/**
 * Makes the graphs accept the `Send` of any copy of their library: a project has a copy of its own, and the runtime
 * creates those of a `command` with its copy. The library knows them by their class only.
 */
export async function acceptSends(files) {
  for (const file of files) {
    for (const { Send } of await copiesFor(file))
      Object.defineProperty(Send, Symbol.hasInstance, { value: (value) => value?.lg_name === "Send" });
  }
}

/** The copies that a graph file can have loaded: as CommonJS or as an ES module. */
async function copiesFor(file) {
  const require = createRequire(file);
  try {
    const path = require.resolve("@langchain/langgraph");
    const loaded = require.cache[path]?.exports;
    const url = pathToFileURL(path.replace(/\.cjs$/, ".js")).href;
    return loaded ? [loaded] : [await import(url)];
  } catch {
    // It does not use the library directly.
    return [];
  }
}
