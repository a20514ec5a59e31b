import { pathToFileURL } from "node:url";

/** Returns the reason that the export of a graph file cannot be served, or `undefined` if it appears to be a graph. */
export async function faultOfGraph(graph) {
  const module = await import(pathToFileURL(graph.file).toString());
  const exported = await module[graph.export];
  if (exported === undefined || exported === null) {
    const names = Object.keys(module).filter((name) => name !== "module.exports");
    const others = names.length > 0 ? `it exports ${names.join(", ")}` : "it exports nothing";
    return `${graph.shown} has no export "${graph.export}" (${others})`;
  }
  if (typeof exported === "function") return undefined;
  if (typeof exported === "object" && (typeof exported.compile === "function" || exported.builder))
    return undefined;
  if (typeof exported === "object" && exported.graph?.builder) return undefined;
  return `the export "${graph.export}" of ${graph.shown} is not a graph but ${describe(exported)}; export a compiled StateGraph or a function that returns one`;
}

function describe(value) {
  if (typeof value !== "object") return `a ${typeof value}`;
  const keys = Object.keys(value).slice(0, 5);
  return keys.length > 0 ? `an object with ${keys.join(", ")}` : "an empty object";
}
