import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";

/**
 * Returns the user names and passwords in the URLs of package indexes, from these files and from the
 * pip and uv settings.
 */
export async function indexCredentials(
  files: readonly string[],
  own: NodeJS.ProcessEnv = process.env,
): Promise<string[]> {
  const texts = await Promise.all(files.filter(existsSync).map((file) => readFile(file, "utf8")));
  return [...texts.flatMap(credentialsIn), ...settingsIn(own)];
}

/** Returns the user names and passwords in the pip and uv settings. */
export const settingsIn = (own: NodeJS.ProcessEnv): string[] =>
  Object.entries(own).flatMap(([name, value = ""]) => {
    if (/^UV_.*(PASSWORD|TOKEN)(_|$)/.test(name)) return [value];
    return /^(PIP|UV)_/.test(name) ? credentialsIn(value) : [];
  });

function credentialsIn(text: string): string[] {
  const logins = text.matchAll(/\w+:\/\/([^\s/@:]*)(?::([^\s/@]*))?@/g);
  return [...logins].flatMap(([, username = "", password]) =>
    // If there is no password, the user name is a token.
    [password ?? username].flatMap((part) => [part, decoded(part)]),
  );
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
