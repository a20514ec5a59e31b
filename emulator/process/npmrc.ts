import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Returns the names of the environment variables that the user's own `.npmrc` uses, as in
 * `//registry.example/:_authToken=${NPM_TOKEN}`. The `.npmrc` of a project is ignored, because it could refer to any
 * secret of the user.
 */
export function variablesOfNpmrc(own: NodeJS.ProcessEnv): Set<string> {
  return new Set(variablesIn(linesOfNpmrc(own).join("\n")));
}

/**
 * Returns the credentials for package installation: those in the user's `.npmrc` and in npm's settings, and proxy
 * passwords. They are redacted, because commands of a project could print them.
 */
export function credentialsOfNpm(own: NodeJS.ProcessEnv): string[] {
  const written = linesOfNpmrc(own).flatMap((line) => {
    const [, value] = /^\s*[^=]*(?:_auth\w*|_password|token)\s*=\s*(.*?)\s*$/i.exec(line) ?? [];
    return value === undefined ? [] : [unquoted(value), ...variablesIn(value).map((name) => own[name] ?? "")];
  });
  const settings = Object.entries(own).flatMap(([name, value = ""]) => {
    if (/^npm_config_.*(_auth\w*|_password|token)$/i.test(name)) return [value];
    return /_?proxy$/i.test(name) ? passwordsIn(value) : [];
  });
  return [...written, ...settings].filter((value) => value !== "" && !value.includes("${"));
}

function unquoted(value: string): string {
  return value.replace(/^(["'])(.*)\1$/, "$2");
}

function passwordsIn(address: string): string[] {
  const [, password] = /^[^/]*\/\/[^@/]*?:([^@/]*)@/.exec(address) ?? [];
  return password === undefined ? [] : [password, decoded(password)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function variablesIn(text: string): string[] {
  return [...text.matchAll(/\$\{([^${}?]+)\??\}/g)].map(([, name]) => name!);
}

/** Returns the lines of the user's `.npmrc`, without comments. */
export function linesOfNpmrc(own: NodeJS.ProcessEnv): string[] {
  const named = Object.keys(own).find((name) => /^npm_config_userconfig$/i.test(name));
  const file = (named && own[named]) || join(own["HOME"] || homedir(), ".npmrc");
  return textOf(file)
    .split(/\r?\n/)
    .filter((line) => !/^\s*[#;]/.test(line));
}

/**
 * Returns the content of a file. If the file cannot be read, returns an empty string, because npm reports the error
 * itself.
 */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
