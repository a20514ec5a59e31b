// Preloaded into agent server processes: enables TypeScript for graphs, and for the worker threads and processes that a
// project starts, which inherit the option.
import { fileURLToPath } from "node:url";

// The loader also processes JavaScript. Packages that are loaded before it start faster.
if (process.argv[1] === fileURLToPath(new URL("serve.mjs", import.meta.url)))
  await import("@langchain/langgraph");
await import("tsx");
