/* eslint-disable @typescript-eslint/no-require-imports -- Each kind is loaded with its first resource. */
import type * as AssistantKind from "./assistant/kind";
import type * as CronKind from "./cron/kind";
import type * as DeploymentKind from "./deployment/kind";
import type * as ListenerKind from "./listener/kind";
import type * as GitReader from "./repository/git-reader";
import type { PlacedKind } from "./resource/kind";
import type * as RunKind from "./run/kind";
import type * as StoreItemKind from "./store-item/kind";
import type * as StoreItemsKind from "./store-items/kind";
import type * as ThreadKind from "./thread/kind";

/**
 * All kinds of resources, keyed by the names under which `pulumi-agentserver/provider` exports them. The names never
 * change.
 */
export const kinds = {
  provider: (env) => {
    const { gitReader } = require("./repository/git-reader") as typeof GitReader;
    return (require("./deployment/kind") as typeof DeploymentKind).deploymentKind(gitReader(env));
  },
  assistant: () => (require("./assistant/kind") as typeof AssistantKind).assistantKind(),
  cron: () => (require("./cron/kind") as typeof CronKind).cronKind(),
  listener: () => (require("./listener/kind") as typeof ListenerKind).listenerKind(),
  run: () => (require("./run/kind") as typeof RunKind).runKind(),
  storeItem: () => (require("./store-item/kind") as typeof StoreItemKind).storeItemKind(),
  storeItems: () => (require("./store-items/kind") as typeof StoreItemsKind).storeItemsKind(),
  thread: () => (require("./thread/kind") as typeof ThreadKind).threadKind(),
} satisfies Record<string, (env: NodeJS.ProcessEnv) => PlacedKind>;

/** Name under which a kind of resource is exported. */
export type KindName = keyof typeof kinds;
