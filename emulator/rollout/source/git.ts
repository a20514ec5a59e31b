import { GitPluginError, type SimpleGit, simpleGit } from "simple-git";
import { shippedScript } from "../../process/package-folder";
import { gitEnvironment } from "../build/environment";
import type { RepositoryAddress } from "./repository-address";

/** Settings that override the user's configuration, so that files are checked out as committed. */
const settings = [
  "core.hooksPath=/dev/null",
  "core.autocrlf=false",
  "core.fsmonitor=false",
  "init.templateDir=",
  "init.defaultBranch=main",
  "advice.detachedHead=false",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "http.lowSpeedLimit=1000",
  "http.lowSpeedTime=60",
];

/**
 * Options that allow all of the user's git configuration, because the environment belongs to the user. Refs and URLs
 * are validated beforehand.
 */
const unsafe = {
  allowUnsafeAlias: true,
  allowUnsafeAskPass: true,
  allowUnsafeConfigEnvCount: true,
  allowUnsafeConfigPaths: true,
  allowUnsafeCredentialHelper: true,
  allowUnsafeCustomBinary: true,
  allowUnsafeDiffExternal: true,
  allowUnsafeDiffTextConv: true,
  allowUnsafeEditor: true,
  allowUnsafeFilter: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeGitProxy: true,
  allowUnsafeGpgProgram: true,
  allowUnsafeHooksPath: true,
  allowUnsafeInclude: true,
  allowUnsafeMergeDriver: true,
  allowUnsafePack: true,
  allowUnsafePager: true,
  allowUnsafeProtocolOverride: true,
  allowUnsafeSshCommand: true,
  allowUnsafeSubmodule: true,
  allowUnsafeTemplateDir: true,
  allowUnsafeUrlRewrite: true,
};

/**
 * Returns a supervised git client for `folder`. It is stopped when this process exits or `signal` aborts, and it never
 * prompts. It uses the credentials from the repository URL, and does not store them.
 */
export function supervisedGit(
  folder: string,
  signal: AbortSignal,
  repository?: RepositoryAddress,
): SimpleGit {
  const environment = withLogin(gitEnvironment(), repository);
  return simpleGit({
    baseDir: folder,
    abort: signal,
    binary: [process.execPath, shippedScript("process/child/supervised-git.mjs")],
    config: settings,
    trimmed: true,
    allowEnvironment: Object.keys(environment),
    // Without this option, a failure without output is treated as a success.
    errors: (error, { exitCode }) =>
      error ?? (exitCode === 0 ? undefined : new Error(`git exited with code ${exitCode}`)),
    unsafe,
  }).env(environment);
}

/** Returns git's error message without the surrounding boilerplate. */
export function gitErrorMessage(error: unknown): string {
  if (error instanceof GitPluginError && error.plugin === "abort") return "it was interrupted";
  const lines = (error instanceof Error ? error.message : String(error))
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !boilerplate.test(line));
  const telling = lines.filter((line) => /^(fatal|error|remote|ssh|git is not)\b/i.test(line));
  return (telling.length > 0 ? telling : lines)
    .slice(0, 3)
    .map((line) => line.replace(/^(fatal|error): /, ""))
    .join("; ");
}

const boilerplate = /^(Please make sure you have the correct access|and the repository exists)/;

/** Credential helper that runs in git's shell. The values stay in the environment. */
const helper =
  '!f() { test "$1" != get || printf "username=%s\\npassword=%s\\n" "$AGENTSERVER_GIT_USER" "$AGENTSERVER_GIT_PASSWORD"; }; f';

/**
 * Returns the environment for git with the credentials from the repository URL, limited to the host of that URL. Other
 * credential helpers are not called, so they cannot store the credentials. If the URL does not contain a password, the
 * user's own helpers are called instead.
 */
function withLogin(
  environment: Record<string, string>,
  repository: RepositoryAddress | undefined,
): Record<string, string> {
  const { fetch, login } = repository ?? {};
  if (!fetch || !login) return environment;
  const section = `credential.${new URL(fetch).origin}`;
  const settings =
    login.password === ""
      ? [[`${section}.username`, login.username]]
      : [
          [`${section}.helper`, ""],
          [`${section}.helper`, helper],
        ];
  const before = Number(environment["GIT_CONFIG_COUNT"] ?? 0);
  return {
    ...environment,
    GIT_CONFIG_COUNT: String(before + settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${before + at}`, key],
        [`GIT_CONFIG_VALUE_${before + at}`, value],
      ]),
    ),
    AGENTSERVER_GIT_USER: login.username,
    AGENTSERVER_GIT_PASSWORD: login.password,
  };
}
