import { deploymentHost } from "../../deployment-host";
import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import type { RepositoryReader } from "../../../../provider/repository/reader";
import type { Props } from "../../../../provider/resource/inputs/values";
import { type Provider, Stack } from "../../stack";
import type { World } from "../../world";

/** Result of a preview: its messages, and the requests that it sent. */
export interface Previewed {
  failures: string[];
  warnings: string[];
  requests: string[];
}

/** Settings for the checks of a preview: the reader of repositories, and the time limit. */
interface LookAhead {
  repositories?: RepositoryReader;
  maxWaitMs?: number;
}

/** Returns a stack whose provider sends requests to check inputs, which is the default. */
export function lookingAhead(world: World, env: NodeJS.ProcessEnv = {}, lookAhead: LookAhead = {}): Stack {
  return new Stack(world, hostOf(world, env, lookAhead));
}

/** Returns a provider in a new process that sends requests to check inputs. */
export function hostOf(world: World, env: NodeJS.ProcessEnv = {}, lookAhead: LookAhead = {}): Provider {
  return deploymentHost({
    env: { ...world.environment, AGENTSERVER_OFFLINE: undefined, ...env },
    clock: world.time,
    log: world.log,
    ...lookAhead,
  });
}

/** Runs `check` with these inputs. */
export async function previewed(
  world: World,
  stack: Stack,
  inputs: DeploymentInputs | Props,
): Promise<Previewed> {
  world.forget();
  const { failures } = await stack.check(inputs);
  return {
    failures: failures.map(({ reason }) => reason),
    warnings: world.log.lines("warning"),
    requests: world.admin.journal().map(({ method, path }) => `${method} ${path.replace("/api-host", "")}`),
  };
}

/** Result of a preview without messages. */
export const nothingToSay = { failures: [], warnings: [] };
