import { extname } from "node:path";

/** Language of the graphs in a graph configuration, and its requirements. */
export type GraphLanguage = { name: "javascript" } | PythonLanguage;

/** Python as the language, with the packages to install. */
export interface PythonLanguage {
  name: "python";
  /** Python version, such as `3.12`. Absent if any version that the runtime supports is acceptable. */
  version?: string;
  /** Package requirements, and folders of the source. The paths of folders start with a dot. */
  dependencies: string[];
  /** Path of the pip configuration file, relative to the folder of the configuration. */
  pipConfigFile?: string;
}

/** Fields of a graph configuration that determine the language. */
export interface LanguageFields {
  graphs: Record<string, { path: string }>;
  python_version?: unknown;
  node_version?: unknown;
  dependencies?: string[] | undefined;
  pip_config_file?: string | undefined;
}

/** Returns the language of all graphs. Throws an `Error` if the graphs use different languages. */
export function languageOf(path: string, fields: LanguageFields): GraphLanguage {
  const named = Object.entries(fields.graphs).map(([id, graph]) => ({ id, python: isPython(graph, fields) }));
  const python = named.find((graph) => graph.python);
  const other = named.find((graph) => !graph.python);
  if (python && other)
    throw new Error(
      `${path}: graphs.${python.id} is a Python graph and graphs.${other.id} is not; the local control plane runs ` +
        "one language per deployment. Use a separate graph configuration and deployment for each language.",
    );
  if (!python) return { name: "javascript" };
  const { python_version: version, dependencies = ["."], pip_config_file: pipConfigFile } = fields;
  if (version !== undefined && !isVersion(version))
    throw new Error(
      `The graph configuration ${path} is not valid: python_version: must be a string such as "3.12".`,
    );
  return {
    name: "python",
    ...(version === undefined ? {} : { version }),
    dependencies,
    ...(pipConfigFile === undefined ? {} : { pipConfigFile }),
  };
}

const isVersion = (value: unknown): value is string => typeof value === "string" && /^3\.\d+$/.test(value);

/**
 * True if a graph is in a Python file, or in a module that is specified without a path, as in `my_agent.graph:graph`.
 */
function isPython({ path: spec }: { path: string }, fields: LanguageFields): boolean {
  const [module = ""] = spec.split(":");
  if (extname(module) === ".py") return true;
  return isModuleName(module) && (fields.python_version !== undefined || fields.node_version === undefined);
}

/** True if this is the name of a Python module rather than a path. */
export function isModuleName(module: string): boolean {
  return /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(module) && !/^\.([cm]?[jt]sx?|py)$/.test(extname(module));
}
