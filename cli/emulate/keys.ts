import { readFileSync } from "node:fs";

/** Files that contain one key each. */
export interface KeyFiles {
  apiKeyFile?: string;
  adminKeyFile?: string;
}

/** Keys that the user has configured. */
export interface ConfiguredKeys {
  apiKey?: string;
  adminKey?: string;
}

/** Reads the keys from the files, or from the environment if no file is specified. */
export function configuredKeys(files: KeyFiles, environment: NodeJS.ProcessEnv): ConfiguredKeys {
  const apiKey =
    readKey("--api-key-file", files.apiKeyFile) ?? (environment["AGENTSERVER_API_KEY"] || undefined);
  const adminKey =
    readKey("--admin-key-file", files.adminKeyFile) ?? (environment["AGENTSERVER_ADMIN_KEY"] || undefined);
  return { ...(apiKey !== undefined && { apiKey }), ...(adminKey !== undefined && { adminKey }) };
}

function readKey(option: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const key = read(option, file).trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new Error(
    `${file} (${option}) must contain exactly one key of printable ASCII characters without spaces.`,
  );
}

function read(option: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`${file} (${option}) cannot be read: ${(error as Error).message}.`);
  }
}
