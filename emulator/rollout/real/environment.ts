import { delimiter, dirname } from "node:path";
import type { WireSecret } from "../../../provider/control-plane/wire";

/** What a program needs of the machine it runs on; all else, such as the control plane's own keys, stays behind. */
const fromMachine = [
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

/** npm settings that say where packages come from; a shell that runs an npm script exports many others. */
const npmSetting =
  /^npm_config_(registry|cache|userconfig|globalconfig|cafile|ca|strict_ssl|(https?_)?proxy|noproxy|offline|prefer_offline|fetch_\w+)$/i;

type Environment = Record<string, string>;

/** Environment of every process of a rollout; `node` there is the one that runs the control plane. */
function machineEnvironment(own: NodeJS.ProcessEnv = process.env): Environment {
  const kept = pick(own, (name) => fromMachine.includes(name) || name.startsWith("LC_"));
  kept["PATH"] = [dirname(process.execPath), own["PATH"] ?? ""].filter(Boolean).join(delimiter);
  return kept;
}

/** Environment of package installation. Secrets of the deployment are for the agent, not for the build. */
export function buildEnvironment(own: NodeJS.ProcessEnv = process.env): Environment {
  return { ...machineEnvironment(own), ...pick(own, (name) => npmSetting.test(name)) };
}

/** Environment of git: the user's own access (ssh agent, credential helpers), but never a question. */
export function gitEnvironment(own: NodeJS.ProcessEnv = process.env): Environment {
  const access = [
    "SSH_AUTH_SOCK",
    "GIT_SSH_COMMAND",
    "GIT_SSL_CAINFO",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
  ];
  return {
    ...machineEnvironment(own),
    GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
    ...pick(own, (name) => access.includes(name)),
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    GCM_INTERACTIVE: "never",
    GIT_ALLOW_PROTOCOL: "file:git:http:https:ssh",
    LC_ALL: "C",
  };
}

/** Environment of the agent: the configuration's `env`, over which the deployment's secrets win. */
export function agentEnvironment(
  configured: Environment,
  secrets: WireSecret[],
  own: NodeJS.ProcessEnv = process.env,
): Environment {
  return {
    ...machineEnvironment(own),
    LANGSMITH_TRACING: "false",
    LANGGRAPH_CLI_NO_ANALYTICS: "1",
    LOG_JSON: "true",
    LOG_LEVEL: "info",
    ...configured,
    ...Object.fromEntries(secrets.map((secret) => [secret.name, secret.value])),
  };
}

function pick(from: NodeJS.ProcessEnv, wanted: (name: string) => boolean): Environment {
  return Object.fromEntries(
    Object.entries(from).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && wanted(entry[0]),
    ),
  );
}
