import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type * as Yaml from "yaml";

/** Environment and project folder that determine the address of the backend. */
export interface BackendContext {
  env: NodeJS.ProcessEnv;
  /** Project folder. */
  root: string;
}

/** Host names of Pulumi Cloud. */
const cloudHosts = ["api.pulumi.com", "app.pulumi.com"];

/**
 * Parameters that configure access to a bucket or database but do not identify it. Unknown parameters are treated as
 * part of the address, because if two backends were treated as one, their stacks would own each other's deployments.
 */
const accessParameters =
  /^(user(name)?|.*(pass|secret|token|credential|private_?key|signature).*|sig|access_(id|key.*)|profile|awssdk|anonymous|ssl.*|disable_?(ssl|https)|s3forcepathstyle|use_path_style|accelerate|dualstack|fips|ssetype|kmskeyid|connect_timeout|application_name)$/i;

/** Parameters that default to environment variables. */
const defaults: Record<string, { parameter: string; variables: string[] }> = {
  s3: { parameter: "endpoint", variables: ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"] },
  azblob: { parameter: "storage_account", variables: ["AZURE_STORAGE_ACCOUNT"] },
};

/**
 * Returns an ID of the backend, to distinguish stacks in different backends that have the same organization, project,
 * and name. The ID is derived from the address and, for a folder, from the folder's inode, because the same path is a
 * different folder on another machine. Returns `undefined` if the backend is unknown. Also returns `undefined` for
 * Pulumi Cloud, because names are unique there.
 */
export function backendId(context: BackendContext): string | undefined {
  const address = addressOf(context);
  const identity = address && identityOf(address, context);
  return identity ? createHash("sha256").update(identity).digest("hex").slice(0, 16) : undefined;
}

function identityOf(address: string, { env, root }: BackendContext): string | undefined {
  if (address.startsWith("file:")) return folderIdentity(folderPath(address, root));
  if (!/^https?:/i.test(address)) return withParameters(address, env);
  const url = URL.parse(address);
  if (!url) return baseAddress(address);
  return cloudHosts.includes(url.hostname) ? undefined : `${url.host}${url.pathname.replace(/\/+$/, "")}`;
}

/** Returns the address of the backend. Checks the same sources in the same order as Pulumi. */
function addressOf({ env, root }: BackendContext): string | undefined {
  return env["PULUMI_BACKEND_URL"] || configuredBackend(join(root, "Pulumi.yaml")) || loggedInBackend(env);
}

function configuredBackend(projectFile: string): string | undefined {
  const text = read(projectFile);
  if (!text || !/^["']?backend["']?\s*:/m.test(text)) return undefined;
  // Loaded here, so that the YAML parser is not loaded for a project file that does not configure a backend.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
  const { parse } = require("yaml") as typeof Yaml;
  try {
    const url: unknown = (parse(text) as { backend?: { url?: unknown } | null } | null)?.backend?.url;
    return typeof url === "string" && url !== "" ? url : undefined;
  } catch {
    // Pulumi itself reports errors in this file.
    return undefined;
  }
}

function loggedInBackend(env: NodeJS.ProcessEnv): string | undefined {
  const folder = env["PULUMI_CREDENTIALS_PATH"] || env["PULUMI_HOME"] || join(homedir(), ".pulumi");
  try {
    const { current } = JSON.parse(read(join(folder, "credentials.json")) ?? "{}") as { current?: unknown };
    return typeof current === "string" && current !== "" ? current : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the address with its identifying parameters sorted. */
function withParameters(address: string, env: NodeJS.ProcessEnv): string {
  const [, query = ""] = /\?([^#]*)/.exec(address) ?? [];
  const parameters = new Map(
    [...new URLSearchParams(query)].filter(([name]) => !accessParameters.test(name)),
  );
  const { parameter, variables } = defaults[address.split(":")[0]!] ?? { parameter: "", variables: [] };
  const fallback = variables.map((name) => env[name]).find((value) => value);
  if (fallback && !parameters.has(parameter)) parameters.set(parameter, fallback);
  const sorted = [...parameters].sort(([one], [other]) => (one < other ? -1 : 1));
  return [baseAddress(address), ...(sorted.length > 0 ? [JSON.stringify(sorted)] : [])].join("?");
}

/** Removes credentials and parameters from the address. */
function baseAddress(address: string): string {
  return address.replace(/^([a-z0-9+.-]+:\/\/)[^/@]*@/i, "$1").replace(/[?#].*$/s, "");
}

function folderPath(address: string, root: string): string {
  const path = decode(address.replace(/^file:\/\//, ""));
  if (path === "~" || path.startsWith("~/")) return join(homedir(), path.slice(1));
  return isAbsolute(path) ? path : resolve(root, path);
}

function decode(path: string): string {
  try {
    return path.startsWith("/") ? fileURLToPath(`file://${path}`) : path;
  } catch {
    return path;
  }
}

/** Identifies a folder by its `.pulumi` subfolder, which Pulumi creates only once. */
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
