import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type * as Yaml from "yaml";

/** Where a backend's address is looked for. */
export interface BackendPlace {
  env: NodeJS.ProcessEnv;
  /** Folder of the project. */
  root: string;
}

/** Pulumi Cloud itself, by the addresses under which people log in. */
const cloudHosts = ["api.pulumi.com", "app.pulumi.com"];

/**
 * Parameters that say how to reach a bucket or database, or as whom, and not which one it is. Whatever is not known here
 * counts as part of the address: to take two backends for one would let their stacks own each other's deployments.
 */
const otherParameters =
  /^(user(name)?|.*(pass|secret|token|credential|private_?key|signature).*|sig|access_(id|key.*)|profile|awssdk|anonymous|ssl.*|disable_?(ssl|https)|s3forcepathstyle|use_path_style|accelerate|dualstack|fips|ssetype|kmskeyid|connect_timeout|application_name)$/i;

/** What the environment says where the address has no such parameter. */
const defaults: Record<string, { parameter: string; variables: string[] }> = {
  s3: { parameter: "endpoint", variables: ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"] },
  azblob: { parameter: "storage_account", variables: ["AZURE_STORAGE_ACCOUNT"] },
};

/**
 * What distinguishes the backends in which stacks of the same organization, project and name may be kept: the address and,
 * for a folder, the very folder, since the same path leads to another one on another machine. Nothing for Pulumi Cloud,
 * where names are unique, and where the backend is not known.
 */
export function backendId(place: BackendPlace): string | undefined {
  const address = addressOf(place);
  const identity = address && identityOf(address, place);
  return identity ? createHash("sha256").update(identity).digest("hex").slice(0, 16) : undefined;
}

function identityOf(address: string, { env, root }: BackendPlace): string | undefined {
  if (address.startsWith("file:")) return folderIdentity(folderAt(address, root));
  if (!/^https?:/i.test(address)) return withParameters(address, env);
  const url = URL.parse(address);
  if (!url) return bare(address);
  return cloudHosts.includes(url.hostname) ? undefined : `${url.host}${url.pathname.replace(/\/+$/, "")}`;
}

/** In the order in which Pulumi itself looks for it. */
function addressOf({ env, root }: BackendPlace): string | undefined {
  return env["PULUMI_BACKEND_URL"] || configuredIn(join(root, "Pulumi.yaml")) || loggedInto(env);
}

function configuredIn(projectFile: string): string | undefined {
  const text = read(projectFile);
  if (!text || !/^["']?backend["']?\s*:/m.test(text)) return undefined;
  // Loaded here, so that programs of other projects start without the YAML parser.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
  const { parse } = require("yaml") as typeof Yaml;
  try {
    const url: unknown = (parse(text) as { backend?: { url?: unknown } | null } | null)?.backend?.url;
    return typeof url === "string" && url !== "" ? url : undefined;
  } catch {
    // Pulumi reports what is wrong with its own file.
    return undefined;
  }
}

function loggedInto(env: NodeJS.ProcessEnv): string | undefined {
  const folder = env["PULUMI_CREDENTIALS_PATH"] || env["PULUMI_HOME"] || join(homedir(), ".pulumi");
  try {
    const { current } = JSON.parse(read(join(folder, "credentials.json")) ?? "{}") as { current?: unknown };
    return typeof current === "string" && current !== "" ? current : undefined;
  } catch {
    return undefined;
  }
}

/** The address with the parameters that are part of it, in an order of their own. */
function withParameters(address: string, env: NodeJS.ProcessEnv): string {
  const [, query = ""] = /\?([^#]*)/.exec(address) ?? [];
  const parameters = new Map([...new URLSearchParams(query)].filter(([name]) => !otherParameters.test(name)));
  const { parameter, variables } = defaults[address.split(":")[0]!] ?? { parameter: "", variables: [] };
  const fallback = variables.map((name) => env[name]).find((value) => value);
  if (fallback && !parameters.has(parameter)) parameters.set(parameter, fallback);
  const sorted = [...parameters].sort(([one], [other]) => (one < other ? -1 : 1));
  return [bare(address), ...(sorted.length > 0 ? [JSON.stringify(sorted)] : [])].join("?");
}

/** Without credentials and parameters. */
function bare(address: string): string {
  return address.replace(/^([a-z0-9+.-]+:\/\/)[^/@]*@/i, "$1").replace(/[?#].*$/s, "");
}

function folderAt(address: string, root: string): string {
  const path = decoded(address.replace(/^file:\/\//, ""));
  if (path === "~" || path.startsWith("~/")) return join(homedir(), path.slice(1));
  return isAbsolute(path) ? path : resolve(root, path);
}

function decoded(path: string): string {
  try {
    return path.startsWith("/") ? fileURLToPath(`file://${path}`) : path;
  } catch {
    return path;
  }
}

/** Pulumi keeps the stacks of a folder in `.pulumi` there, and makes that but once. */
function folderIdentity(folder: string): string {
  try {
    const { ino, birthtimeMs } = statSync(join(folder, ".pulumi"), { bigint: true });
    return JSON.stringify([folder, String(ino), String(birthtimeMs)]);
  } catch {
    return JSON.stringify([folder]);
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
