/**
 * Variables of the machine that programs need. Other variables, such as the control plane's own keys, are not passed to
 * programs.
 */
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
  "NODE_USE_SYSTEM_CA",
  "NODE_USE_ENV_PROXY",
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

/**
 * Variables that give access to the user's repositories: git settings, and the variables that credential helpers need.
 */
const forGit =
  /^(SSH_AUTH_SOCK|SSH_AGENT_PID|GIT_SSH|GIT_SSH_COMMAND|GIT_SSH_VARIANT|GIT_SSL_CAINFO|GIT_SSL_CAPATH|GIT_SSL_CERT|GIT_SSL_KEY|GIT_CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT|(KEY|VALUE)_\d+)|DBUS_SESSION_BUS_ADDRESS|XDG_RUNTIME_DIR|XDG_DATA_HOME|GNUPGHOME|PASSWORD_STORE_DIR|GCM_\w+|(GH|GITHUB)(_ENTERPRISE)?_TOKEN|GH_HOST|GH_CONFIG_DIR|GITLAB_(TOKEN|ACCESS_TOKEN|HOST)|GLAB_CONFIG_DIR)$/;

/** npm settings that determine package sources. A shell that runs an npm script exports many other settings. */
const forNpm =
  /^npm_config_(registry|@[^:]+:registry|\/\/.+:\w+|cache|userconfig|globalconfig|cafile|ca|strict_ssl|(https?_)?proxy|noproxy|offline|prefer_offline|fetch_\w+)$/i;

/** Matches settings for pip and uv that determine package sources and the access to them. */
const forPython = /^(PIP_\w+|UV_\w+|NETRC|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE)$/;

/** Variables that locate the container engine or give access to the user's registries. */
const forContainers =
  /^(DOCKER_(HOST|CONTEXT|CONFIG|CERT_PATH|TLS_VERIFY)|CONTAINER_HOST|CONTAINERS_\w+|REGISTRY_AUTH_FILE|XDG_RUNTIME_DIR|XDG_DATA_HOME)$/;

/** Variables that the control plane and its Node.js process use. None of them are secrets. */
const forControlPlane = [
  "AGENTSERVER_TENANT_ID",
  "AGENTSERVER_CACHE",
  "NODE_OPTIONS",
  "NODE_PATH",
  "NODE_V8_COVERAGE",
  "TERM",
  "NO_COLOR",
  "FORCE_COLOR",
];

/** True if an environment variable may be passed on to any program that a rollout starts. */
export const isForPrograms = (name: string): boolean => forPrograms.includes(name) || name.startsWith("LC_");

/** True if an environment variable gives access to the user's repositories. Only git receives it. */
export const isForGit = (name: string): boolean => forGit.test(name);

/**
 * True if an environment variable is an npm setting. Only package installation receives npm settings. `.npmrc` may
 * refer to other variables.
 */
export const isForNpm = (name: string): boolean => forNpm.test(name);

/**
 * True if an environment variable configures Python package installation. Only the installer receives it.
 */
export const isForPython = (name: string): boolean => forPython.test(name);

/** True if an environment variable configures a container engine. Only the engine's command receives it. */
export const isForContainers = (name: string): boolean => forContainers.test(name);

/**
 * True if a control plane needs an environment variable when it starts. Variables for git and npm are excluded, because
 * agents could read them from its environment.
 */
export const isForControlPlane = (name: string): boolean =>
  isForPrograms(name) || forControlPlane.includes(name);

/** Returns the variables with matching names. */
export function pick(from: NodeJS.ProcessEnv, wanted: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(from).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && wanted(entry[0]),
    ),
  );
}
