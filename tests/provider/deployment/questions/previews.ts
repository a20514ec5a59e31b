import { deploymentHost } from "../../deployment-host";
import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import type { RepositoryReader } from "../../../../provider/repository/reader";
import type { Props } from "../../../../provider/resource/inputs/values";
import type { DynamicHost } from "../../../../provider/hosts/dynamic/host";
import { Stack } from "../../stack";
import type { World } from "../../world";

/** What a preview came to, in the words that the engine would show, and the requests that it made. */
export interface Previewed {
  failures: string[];
  warnings: string[];
  requests: string[];
}

/** What a preview may use besides the control plane, and how long it asks. */
interface LookAhead {
  repositories?: RepositoryReader;
  patienceMs?: number;
}

/** A stack whose provider looks ahead, as it does unless it is asked not to. */
export function lookingAhead(world: World, env: NodeJS.ProcessEnv = {}, lookAhead: LookAhead = {}): Stack {
  return new Stack(world, hostOf(world, env, lookAhead));
}

/** Its provider alone, in a process of its own. */
export function hostOf(world: World, env: NodeJS.ProcessEnv = {}, lookAhead: LookAhead = {}): DynamicHost {
  return deploymentHost({
    env: { ...world.environment, AGENTSERVER_OFFLINE: undefined, ...env },
    clock: world.time,
    log: world.log,
    ...lookAhead,
  });
}

/** `check` with these inputs. */
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

/** A preview about which there is nothing to say. */
export const nothingToSay = { failures: [], warnings: [] };
