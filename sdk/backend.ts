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

/**
 * What distinguishes the backends in which stacks of the same organization, project and name may be kept: the address and,
 * for a folder, the very folder, since the same path leads to another one on another machine. Nothing for Pulumi Cloud,
 * where names are unique, and where the backend is not known.
 */
export function backendId(place: BackendPlace): string | undefined {
  const address = addressOf(place);
  if (address === undefined || /^https?:/.test(address)) return undefined;
  const identity = address.startsWith("file:")
    ? folderIdentity(folderAt(address, place.root))
    : bare(address);
  return createHash("sha256").update(identity).digest("hex").slice(0, 16);
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

/** Without credentials and parameters, which may change. */
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
