// The runtime with only one graph: `node --import tsx bare-runtime.mjs <folder> <graph file:export>`.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, graph] = process.argv.slice(2);
const emulator = createRequire(new URL("../../emulator/package.json", import.meta.url));
const { startServer } = await import(pathToFileURL(emulator.resolve("@langchain/langgraph-api/server")).href);
const { host } = await startServer({
  port: 0,
  host: "127.0.0.1",
  nWorkers: 1,
  cwd: folder,
  graphs: { agent: graph },
});
const response = await fetch(`http://${host}/ok`);
console.log(response.ok ? "ok" : `answered ${response.status}`);
process.exit(response.ok ? 0 : 1);
