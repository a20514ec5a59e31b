import { readFileSync } from "node:fs";

/** Files that hold keys, each in a line of its own. */
export interface KeyFiles {
  apiKeyFile?: string;
  adminKeyFile?: string;
}

/** The keys of a control plane, as far as somebody gives them. */
export interface GivenKeys {
  apiKey?: string;
  adminKey?: string;
}

/** The keys from the files or, where no file is named, from the environment. */
export function givenKeys(files: KeyFiles, environment: NodeJS.ProcessEnv): GivenKeys {
  const apiKey =
    keyIn("--api-key-file", files.apiKeyFile) ?? (environment["AGENTSERVER_API_KEY"] || undefined);
  const adminKey =
    keyIn("--admin-key-file", files.adminKeyFile) ?? (environment["AGENTSERVER_ADMIN_KEY"] || undefined);
  return { ...(apiKey !== undefined && { apiKey }), ...(adminKey !== undefined && { adminKey }) };
}

function keyIn(option: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const key = read(option, file).trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new Error(
    `${file} (${option}) must hold one key of plain letters, digits and signs, and nothing else.`,
  );
}

function read(option: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`${file} (${option}) cannot be read: ${(error as Error).message}.`);
  }
}
