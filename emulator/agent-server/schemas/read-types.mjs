// Reads the schemas of graphs from their types, and sends them to the process that has forked this one.
//
//   fork("read-types.mjs", ['{"root": "<checkout>", "graphs": [{"id", "file", "export"}]}'])
import { createRequire } from "node:module";
import { constants, setPriority } from "node:os";
import { basename, dirname, join } from "node:path";

const { graphs, root } = JSON.parse(process.argv[2]);
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const parser = new URL("./graph/parser/parser.mjs", import.meta.resolve("@langchain/langgraph-api/server"))
  .href;
const { SubgraphExtractor } = await import(parser);

/** Only types that lead to a schema are looked at: whether all others are right costs more than half of the time. */
const quick = { skipLibCheck: true, noCheck: true, declaration: false, composite: false, incremental: false };
/** A project without a `tsconfig.json` is read as Node and tsx run it, whatever lies above its checkout. */
const settings = {
  files: [],
  compilerOptions: { target: "esnext", module: "esnext", moduleResolution: "bundler" },
};

/** Longest fault, in characters. */
const faultLimit = 500;

const required = createRequire(parser);
const { sys } = required("typescript");
const above = join(dirname(root), "tsconfig.json");
const { fileExists, readFile } = sys;
sys.fileExists = (file) => file === above || fileExists(file);
sys.readFile = (file, encoding) =>
  file === above ? JSON.stringify(settings) : readFile(ownLibrary(file), encoding);

/** The reader's helper may find another TypeScript than the reader, whose libraries have other names. */
function ownLibrary(file) {
  const isLibrary = /[\\/]typescript[\\/]lib[\\/]lib(\.[\w.]+)?\.d\.ts$/.test(file);
  return isLibrary ? join(dirname(required.resolve("typescript")), basename(file)) : file;
}

const key = ({ file, export: name }) => `${file}:${name}`;
const unique = [...new Map(graphs.map((graph) => [key(graph), graph])).values()];
const found = new Map();
for (const round of rounds(unique))
  read(round).forEach((result, index) => found.set(key(round[index]), result));
process.send(Object.fromEntries(graphs.map((graph) => [graph.id, found.get(key(graph))])), () =>
  process.disconnect(),
);

/** Some faults list every file of the compiler. */
function shortened(text) {
  return text.length > faultLimit ? `${text.slice(0, faultLimit)}…` : text;
}

/** No round has a file twice: what the reader writes for a graph is named after its file. */
function rounds(targets) {
  const all = [];
  for (const target of targets) {
    const fit = all.find((round) => round.every(({ file }) => file !== target.file));
    if (fit) fit.push(target);
    else all.push([target]);
  }
  return all;
}

function read(targets) {
  const specs = targets.map((target) => ({ sourceFile: target.file, exportSymbol: target.export }));
  const tsConfigOptions = { ...quick, allowJs: true };
  try {
    const all = SubgraphExtractor.extractSchemas(specs, { strict: false, tsConfigOptions });
    return all.map((schemas) => ({ schemas }));
  } catch (error) {
    // One that cannot be read must not take the others with it.
    if (targets.length > 1) return targets.flatMap((target) => read([target]));
    return [{ fault: shortened(error.message) }];
  }
}
