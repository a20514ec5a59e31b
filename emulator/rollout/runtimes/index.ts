import type { GraphLanguage } from "../build/graph-configuration";
import { javascriptRuntime } from "./javascript";
import { pythonRuntime } from "./python";
import type { Runtime } from "./runtime";

const runtimes: Record<GraphLanguage["name"], Runtime> = {
  javascript: javascriptRuntime,
  python: pythonRuntime,
};

/** Returns the runtime for graphs in this language. */
export const runtimeOf = ({ name }: GraphLanguage): Runtime => runtimes[name];
