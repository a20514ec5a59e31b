import { readFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { parseEnv } from "node:util";
import { insideCheckout, MissingFile } from "./checkout-files";
import { type Configuration, configurationSchema, spellIssues } from "./configuration-schema";
import { type GraphLanguage, isModuleName, languageOf } from "./graph-language";

export type { GraphLanguage };

export interface GraphSource {
  id: string;
  /** Absolute path of the module. */
  file?: string;
  /** Name of the module, if no path is specified. */
  module?: string;
  export: string;
  description?: string;
  /** Path of the module relative to the root of the repository, for display. */
  shown: string;
}

/** The graph configuration of a checkout, validated and with resolved paths. */
export interface GraphConfiguration {
  /** Folder of the configuration file, which is also the agent's working directory. */
  folder: string;
  language: GraphLanguage;
  graphs: GraphSource[];
  env: Record<string, string>;
  /** Options for the runtime, except for the graphs. */
  options: Pick<Configuration, "auth" | "ui" | "ui_config" | "http" | "store" | "checkpointer" | "webhooks">;
  /** Problems that do not prevent a rollout. */
  warnings: string[];
}

/**
 * Reads the folder and language from the configuration at `path` in the checkout `root`. The files that the
 * configuration refers to may not exist yet.
 */
export async function readLanguage(
  root: string,
  path: string,
): Promise<{ folder: string; language: GraphLanguage }> {
  const file = await configurationFile(root, path);
  return { folder: dirname(file), language: languageOf(path, await parsed(file, path)) };
}

/**
 * Reads and validates the configuration at `path` in the checkout `root`. Throws an `Error` that contains the file and
 * the field.
 */
export async function readGraphConfiguration(root: string, path: string): Promise<GraphConfiguration> {
  const file = await configurationFile(root, path);
  const configuration = await parsed(file, path);
  const folder = dirname(file);
  const { graphs, env, auth, ui, ui_config, http, store, checkpointer, webhooks } = configuration;
  const language = languageOf(path, configuration);
  const isPython = language.name === "python";
  const warnings: string[] = [];
  const resolved = Object.entries(graphs).map(([id, graph]) =>
    graphSource(root, folder, path, id, graph, isPython),
  );
  return {
    folder,
    language,
    graphs: await Promise.all(resolved),
    env: typeof env === "string" ? await readEnvFile(root, folder, path, env, warnings) : env,
    options: {
      ...(auth && { auth: await withFile(auth, "path", root, folder, `${path}: auth.path`, isPython) }),
      ...(http && { http: await withFile(http, "app", root, folder, `${path}: http.app`, isPython) }),
      ...(ui && {
        ui: Object.fromEntries(Object.entries(ui).map(([name, file]) => [name, resolve(folder, file)])),
      }),
      ...(ui_config && { ui_config }),
      // The JavaScript runtime does not support any of these.
      ...(isPython && {
        ...(store && { store }),
        ...(checkpointer && { checkpointer }),
        ...(webhooks && { webhooks }),
      }),
    },
    warnings,
  };
}

async function parsed(file: string, path: string): Promise<Configuration> {
  const result = configurationSchema.safeParse(await readJson(file, path));
  if (result.success) return result.data;
  throw new Error(`The graph configuration ${path} is not valid: ${spellIssues(result.error)}.`);
}

function configurationFile(root: string, path: string): Promise<string> {
  return insideCheckout(root, root, path, `The graph configuration ${path}`);
}

async function graphSource(
  root: string,
  folder: string,
  path: string,
  id: string,
  { path: spec, description }: Configuration["graphs"][string],
  isPython: boolean,
): Promise<GraphSource> {
  const [module = "", exported = ""] = spec.split(":");
  const told = description === undefined ? {} : { description };
  if (isPython && isModuleName(module)) return { id, module, export: exported, shown: module, ...told };
  const file = await insideCheckout(root, folder, module, `${path}: the file ${module} of graph ${id}`);
  return { id, file, export: exported, shown: relative(root, file), ...told };
}

async function withFile<T extends Record<string, unknown>>(
  section: T,
  field: string,
  root: string,
  folder: string,
  what: string,
  isPython: boolean,
): Promise<T> {
  const spec = section[field];
  if (typeof spec !== "string") return section;
  const [module = "", ...exported] = spec.split(":");
  if (isPython && isModuleName(module)) return section;
  return { ...section, [field]: [await insideCheckout(root, folder, module, what), ...exported].join(":") };
}

async function readEnvFile(
  root: string,
  folder: string,
  path: string,
  envPath: string,
  warnings: string[],
): Promise<Record<string, string>> {
  try {
    const file = await insideCheckout(root, folder, envPath, `${path}: the env file ${envPath}`);
    return parseEnv(await readFile(file, "utf8")) as Record<string, string>;
  } catch (error) {
    // An env file is rarely committed, because its values are usually secrets of the deployment.
    if (!(error instanceof MissingFile)) throw error;
    warnings.push(`${error.message} The agent receives only the variables of the deployment.`);
    return {};
  }
}

async function readJson(file: string, path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new Error(`The graph configuration ${path} is not valid JSON: ${(error as Error).message}.`);
  }
}
