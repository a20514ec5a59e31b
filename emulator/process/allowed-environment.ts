/** What a program needs of the machine it runs on; all else, such as the control plane's own keys, stays behind. */
const forPrograms = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "TZ",
  "TMPDIR",
  "XDG_CACHE_HOME",
  "XDG_CONFIG_HOME",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "ALL_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "all_proxy",
];

/** The user's own access to repositories. */
const forGit = [
  "SSH_AUTH_SOCK",
  "GIT_SSH_COMMAND",
  "GIT_SSL_CAINFO",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_NOSYSTEM",
];

/** npm settings that say where packages come from; a shell that runs an npm script exports many others. */
const forNpm =
  /^npm_config_(registry|cache|userconfig|globalconfig|cafile|ca|strict_ssl|(https?_)?proxy|noproxy|offline|prefer_offline|fetch_\w+)$/i;

/** What the control plane itself looks at, and Node for it; no secrets. */
const forControlPlane = [
  "AGENTSERVER_TENANT_ID",
  "NODE_OPTIONS",
  "NODE_PATH",
  "NODE_V8_COVERAGE",
  "TERM",
  "NO_COLOR",
  "FORCE_COLOR",
];

/** Whether an environment variable may be passed on to any program that a rollout starts. */
export const isForPrograms = (name: string): boolean => forPrograms.includes(name) || name.startsWith("LC_");
export const isForGit = (name: string): boolean => forGit.includes(name);
export const isForNpm = (name: string): boolean => forNpm.test(name);

/** Whether a control plane that starts rollouts has any use for it. */
export const isForControlPlane = (name: string): boolean =>
  [isForPrograms, isForGit, isForNpm].some((isFor) => isFor(name)) || forControlPlane.includes(name);

/** The variables whose names are wanted. */
export function pick(from: NodeJS.ProcessEnv, wanted: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(from).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && wanted(entry[0]),
    ),
  );
}
