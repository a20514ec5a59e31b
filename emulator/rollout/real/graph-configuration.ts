import { readFile } from "node:fs/promises";
import { dirname, extname, relative, resolve } from "node:path";
import { parseEnv } from "node:util";
import { z } from "zod";
import { insideCheckout, MissingFile } from "./checkout-files";

const graphSpec = z
  .string()
  .regex(/^[^:]+:[^:]+$/, 'must read "path:export", for example "./src/agent.ts:graph"');

const configurationSchema = z.looseObject({
  graphs: z
    .record(
      z.string().min(1),
      z.union([graphSpec, z.looseObject({ path: graphSpec }).transform(({ path }) => path)]),
    )
    .refine((graphs) => Object.keys(graphs).length > 0, "must name at least one graph"),
  env: z
    .union([
      z.string(),
      z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)),
    ])
    .default({}),
  dependencies: z.array(z.string()).optional(),
  auth: z.looseObject({ path: z.string().optional() }).optional(),
  ui: z.record(z.string(), z.string()).optional(),
  ui_config: z.looseObject({}).optional(),
  http: z.looseObject({ app: z.string().optional(), disable_assistants: z.boolean().optional() }).optional(),
});

export interface GraphSource {
  id: string;
  /** Absolute path of the module. */
  file: string;
  export: string;
  /** Path of the module as people know it, from the root of the repository. */
  shown: string;
}

/** The graph configuration of a checkout, checked and with its paths resolved. */
export interface GraphConfiguration {
  /** Folder of the configuration file: the agent's working folder. */
  folder: string;
  graphs: GraphSource[];
  env: Record<string, string>;
  /** What the runtime takes besides the graphs. */
  options: Pick<z.infer<typeof configurationSchema>, "auth" | "ui" | "ui_config" | "http">;
  /** Oddities that do not stop a rollout. */
  warnings: string[];
}

/** Folder of the configuration at `path` of the checkout `root`, whatever is in it. */
export async function configurationFolder(root: string, path: string): Promise<string> {
  return dirname(await configurationFile(root, path));
}

/** Reads and checks the configuration at `path` of the checkout `root`; throws an `Error` naming file and field. */
export async function readGraphConfiguration(root: string, path: string): Promise<GraphConfiguration> {
  const file = await configurationFile(root, path);
  const parsed = configurationSchema.safeParse(await readJson(file, path));
  if (!parsed.success)
    throw new Error(`The graph configuration ${path} is not valid: ${spellIssues(parsed.error)}.`);
  const folder = dirname(file);
  const { graphs, env, auth, ui, ui_config, http } = parsed.data;
  const warnings: string[] = [];
  const resolved = Object.entries(graphs).map(([id, spec]) => graphSource(root, folder, path, id, spec));
  return {
    folder,
    graphs: await Promise.all(resolved),
    env: typeof env === "string" ? await readEnvFile(root, folder, path, env, warnings) : env,
    options: {
      ...(auth && { auth: await withFile(auth, "path", root, folder, `${path}: auth.path`) }),
      ...(http && { http: await withFile(http, "app", root, folder, `${path}: http.app`) }),
      ...(ui && {
        ui: Object.fromEntries(Object.entries(ui).map(([name, file]) => [name, resolve(folder, file)])),
      }),
      ...(ui_config && { ui_config }),
    },
    warnings,
  };
}

function configurationFile(root: string, path: string): Promise<string> {
  return insideCheckout(root, root, path, `The graph configuration ${path}`);
}

async function graphSource(
  root: string,
  folder: string,
  path: string,
  id: string,
  spec: string,
): Promise<GraphSource> {
  const [module = "", exported = ""] = spec.split(":");
  if (extname(module) === ".py") {
    throw new Error(
      `${path}: graphs.${id} names the Python file ${module}; the local control plane runs JavaScript and TypeScript graphs.`,
    );
  }
  const file = await insideCheckout(root, folder, module, `${path}: the file of graphs.${id}, ${module},`);
  return { id, file, export: exported, shown: relative(root, file) };
}

async function withFile<T extends Record<string, unknown>>(
  section: T,
  field: string,
  root: string,
  folder: string,
  what: string,
): Promise<T> {
  const spec = section[field];
  if (typeof spec !== "string") return section;
  const [module = "", ...exported] = spec.split(":");
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
    const file = await insideCheckout(root, folder, envPath, `${path}: the file of env, ${envPath},`);
    return parseEnv(await readFile(file, "utf8")) as Record<string, string>;
  } catch (error) {
    // Such a file is rarely committed; its values usually come as secrets of the deployment.
    if (!(error instanceof MissingFile)) throw error;
    warnings.push(`${error.message} The agent starts without it.`);
    return {};
  }
}

async function readJson(file: string, path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new Error(`The graph configuration ${path} is not JSON: ${(error as Error).message}.`);
  }
}

function spellIssues(error: z.ZodError): string {
  return error.issues
    .map((issue) => `${issue.path.join(".") || "the whole file"}: ${spellIssue(issue)}`)
    .join("; ");
}

function spellIssue(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_union") return issue.message;
  // The alternative that got furthest says the most.
  const deepest = issue.errors
    .flat()
    .sort(
      (a, b) =>
        b.path.length - a.path.length ||
        Number(b.code === "invalid_format") - Number(a.code === "invalid_format"),
    )[0];
  return deepest
    ? [...(deepest.path.length ? [deepest.path.join(".")] : []), deepest.message].join(": ")
    : issue.message;
}
