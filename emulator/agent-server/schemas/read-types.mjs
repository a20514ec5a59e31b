// Reads the schemas of graphs from their types with one compiler program, and sends those of each graph immediately to
// the process that forked this one.
//
//   fork("read-types.mjs", ['{"root": "<checkout>", "graphs": [{"id", "file", "export"}]}'])
import { createRequire } from "node:module";
import { constants, setPriority } from "node:os";
import { dirname, extname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const { graphs, root } = JSON.parse(process.argv[2]);
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const parser = new URL("./graph/parser/parser.mjs", import.meta.resolve("@langchain/langgraph-api/server"));
const { SubgraphExtractor } = await import(parser);
const { buildGenerator } = await import(new URL("schema/types.mjs", parser));
// The copy of the compiler that the parser uses.
const ts = createRequire(parser)("typescript");
const template = ts.sys.readFile(fileURLToPath(new URL("schema/types.template.mts", parser)));

/**
 * Compiler options that skip types from which no schema is generated. Checking these types takes more than half of the
 * time.
 */
const quick = { skipLibCheck: true, noCheck: true, declaration: false, composite: false, incremental: false };
const fixed = { noEmit: true, strict: true, allowUnusedLabels: true, allowJs: true, ...quick };
/**
 * Compiler options for a project without a `tsconfig.json`. They match how Node.js and tsx read the project, even if a
 * parent folder of the checkout contains a configuration.
 */
const unconfigured = {
  files: [],
  compilerOptions: { target: "esnext", module: "esnext", moduleResolution: "bundler" },
};

/** Matches packages that are resolved from the project, so that its graphs and the template use the same types. */
const fromProject = /^@langchain\/(langgraph|langgraph-checkpoint)(\/.+)?$/;
/**
 * Matches a class that extends another class. The generator reads all files with such classes, because it lists the
 * classes that extend an abstract class.
 */
const extending = /\bclass\s[^{;]*\bextends\b/;
/** Maximum length of an error message, in characters. Some messages list every file of the compiler. */
const faultLimit = 500;

const folder = graphs.map(({ file }) => dirname(file)).reduce(commonFolder);
const options = compilerOptions();
const host = compilerHost();

const results = new Map();
const inferred = augment();
const read = schemaReader();
for (const graph of graphs) {
  const key = `${graph.file}:${graph.export}`;
  if (!results.has(key)) results.set(key, read(key));
  await send({ [graph.id]: results.get(key) });
}
process.disconnect();

function send(message) {
  return new Promise((resolve) => process.send(message, resolve));
}

function commonFolder(one, other) {
  const parts = other.split(sep);
  const end = one.split(sep).findIndex((part, index) => part !== parts[index]);
  return end < 0 ? one : parts.slice(0, end).join(sep) || sep;
}

function compilerOptions() {
  const found = ts.findConfigFile(folder, ts.sys.fileExists, "tsconfig.json");
  const own = found !== undefined && !relative(root, found).startsWith("..");
  const { config } = own ? ts.readConfigFile(found, ts.sys.readFile) : { config: unconfigured };
  return {
    ...ts.parseJsonConfigFileContent(config ?? unconfigured, ts.sys, own ? dirname(found) : root).options,
    ...fixed,
  };
}

/**
 * Returns a compiler host that reads all files from disk, except for files that were added with `add`. Parses each file
 * once.
 */
function compilerHost() {
  const made = ts.createCompilerHost(options);
  const added = new Map();
  const parsed = new Map();
  const { fileExists, readFile, getSourceFile } = made;
  const modules = ts.createModuleResolutionCache(folder, (name) => name);
  return Object.assign(made, {
    add: (file, text) => added.set(file, text),
    getCurrentDirectory: () => folder,
    fileExists: (file) => added.has(file) || fileExists(file),
    readFile: (file) => added.get(file) ?? readFile(file),
    getSourceFile(file, ...more) {
      if (!parsed.has(file)) parsed.set(file, getSourceFile(file, ...more));
      return parsed.get(file);
    },
    resolveModuleNameLiterals: (literals, from, redirected, given) =>
      literals.map(({ text }) => {
        const isOwn = fromProject.test(text) && !from.split(sep).includes("node_modules");
        const start = isOwn ? join(folder, "__langgraph__resolve.mts") : from;
        return ts.resolveModuleName(text, start, given, made, modules, redirected);
      }),
  });
}

/**
 * Adds two files for each file with graphs: a copy that exports the types of the graphs and their subgraphs, and a file
 * that infers the parts of a schema from these types. Returns the exported types by graph, or the reason that there are
 * none.
 */
function augment() {
  const templateFile = join(folder, "__langgraph__template.mts");
  host.add(templateFile, template);
  const files = [...new Set(graphs.map(({ file }) => file))];
  const program = ts.createProgram({ rootNames: [templateFile, ...files], options, host });
  const found = new Map();
  const inferFiles = [];
  files.forEach((file, number) => {
    const types = [];
    for (const { export: name } of graphs.filter((graph) => graph.file === file)) {
      const key = `${file}:${name}`;
      if (found.has(key)) continue;
      try {
        const extractor = new SubgraphExtractor(
          program,
          program.getSourceFile(file),
          program.getSourceFile(templateFile),
          { strict: false },
        );
        const { exports } = extractor.getAugmentedSourceFile(file, name, {});
        const own = exports.map(({ valueName, graphName }, place) => ({
          type: `__langgraph__${number}_${types.length + place}`,
          value: valueName,
          graph: graphName,
        }));
        types.push(...own);
        found.set(key, { types: own });
      } catch (error) {
        found.set(key, { fault: shortened(error.message) });
      }
    }
    const extension = extname(file);
    const source = `__langgraph__source_${number}`;
    const from = `./${source}${options.allowImportingTsExtensions ? extension : extension.replace("ts", "js")}`;
    const at = (name) => join(dirname(file), `${name}${extension}`);
    const exported = types.map(({ type, value }) => `export type ${type} = typeof ${value};`);
    host.add(at(source), [ts.sys.readFile(file) ?? "", ...exported].join("\n"));
    inferFiles.push(at(`__langgraph__infer_${number}`));
    host.add(
      inferFiles.at(-1),
      [
        ...types.map(({ type }) => `import type { ${type} } from "${from}";`),
        template,
        ...types.map(({ type }) => inference(type)),
      ].join("\n"),
    );
  });
  return { found, inferFiles };
}

function inference(type) {
  return `
type ${type}__reflect = Reflect<${type}>;
export type ${type}__update = Inspect<${type}__reflect["update"]>;
type ${type}__builder = BuilderReflect<${type}>;
export type ${type}__input = Inspect<FilterAny<${type}__builder["input"]>>;
export type ${type}__output = Inspect<FilterAny<${type}__builder["output"]>>;
export type ${type}__config = Inspect<FilterAny<${type}__builder["config"]>>;
`;
}

/** Returns a function that reads the schemas of one graph. */
function schemaReader() {
  const { found, inferFiles } = inferred;
  const program = ts.createProgram({ rootNames: inferFiles, options, host });
  const generator = buildGenerator({
    getTypeChecker: () => program.getTypeChecker(),
    getCurrentDirectory: () => program.getCurrentDirectory(),
    // The generator visits all declarations of these files.
    getSourceFiles: () =>
      program
        .getSourceFiles()
        .filter(({ fileName, text }) => inferFiles.includes(fileName) || extending.test(text)),
  });
  const schemaOf = (symbol) => {
    try {
      return withShortNames(generator.getSchemaForSymbol(symbol));
    } catch {
      return undefined;
    }
  };
  return (key) => {
    const { types, fault } = found.get(key);
    if (fault !== undefined) return { fault };
    const schemas = types.map(({ type, graph }) => [
      graph,
      {
        state: schemaOf(`${type}__update`),
        input: schemaOf(`${type}__input`),
        output: schemaOf(`${type}__output`),
        config: schemaOf(`${type}__config`),
      },
    ]);
    return { schemas: Object.fromEntries(schemas) };
  };
}

/** Returns the schema with paths on this machine removed from the names of its definitions. */
function withShortNames(schema) {
  const { definitions = {} } = schema;
  const names = new Map();
  for (const name of Object.keys(definitions)) {
    const short = name.replace(/import\(.+@langchain[\\/]core.+\)\./, "");
    if (short === name || short in definitions) continue;
    names.set(`#/definitions/${name}`, `#/definitions/${short}`);
    definitions[short] = definitions[name];
    delete definitions[name];
  }
  return JSON.parse(JSON.stringify(schema, (_, value) => names.get(value) ?? value));
}

function shortened(text) {
  return text.length > faultLimit ? `${text.slice(0, faultLimit)}…` : text;
}
