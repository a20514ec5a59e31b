import { delimiter, dirname } from "node:path";
import { isForGit, isForNpm, isForPrograms, pick } from "../../process/allowed-environment";
import { variablesOfNpmrc } from "../../process/npmrc";
import type { WireSecret } from "../../../wire";

type Environment = Record<string, string>;

/**
 * Returns the environment of every process of a rollout. Its `node` is the same Node.js binary that runs the control
 * plane.
 */
export function machineEnvironment(own: NodeJS.ProcessEnv = process.env): Environment {
  const kept = pick(own, isForPrograms);
  kept["PATH"] = [dirname(process.execPath), own["PATH"] ?? ""].filter(Boolean).join(delimiter);
  return kept;
}

/**
 * Returns the environment for package installation, with the user's own access to packages: npm settings, and the
 * variables that the user's `.npmrc` uses. It does not contain the secrets of the deployment, which are intended for
 * the agent and not for the build.
 */
export function buildEnvironment(own: NodeJS.ProcessEnv = process.env): Environment {
  const inNpmrc = variablesOfNpmrc(own);
  return { ...pick(own, (name) => inNpmrc.has(name)), ...machineEnvironment(own), ...pick(own, isForNpm) };
}

/**
 * Returns the environment for git, with the user's own access (ssh agent, settings, credential helpers) and without
 * prompts.
 */
export function gitEnvironment(own: NodeJS.ProcessEnv = process.env): Environment {
  return {
    ...machineEnvironment(own),
    GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
    ...pick(own, isForGit),
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    GCM_INTERACTIVE: "never",
    GIT_ALLOW_PROTOCOL: "file:git:http:https:ssh",
    LC_ALL: "C",
  };
}

/**
 * Returns the environment of the agent. In increasing precedence, it consists of the variables that programs need, the
 * variables of the agent server, the `env` in the configuration, and the secrets of the deployment.
 */
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
