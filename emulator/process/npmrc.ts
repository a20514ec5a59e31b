import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Names of the environment variables that the user's own `.npmrc` takes values from, as in
 * `//registry.example/:_authToken=${NPM_TOKEN}`. That of a project does not count: it could name any secret of the user.
 */
export function variablesOfNpmrc(own: NodeJS.ProcessEnv): Set<string> {
  const named = Object.keys(own).find((name) => /^npm_config_userconfig$/i.test(name));
  const file = (named && own[named]) || join(own["HOME"] || homedir(), ".npmrc");
  const lines = textOf(file)
    .split("\n")
    .filter((line) => !/^\s*[#;]/.test(line));
  return new Set([...lines.join("\n").matchAll(/\$\{([^${}?]+)\??\}/g)].map(([, name]) => name!));
}

/** npm itself complains about a file that it cannot read. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
