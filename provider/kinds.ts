import { assistantKind } from "./assistant/kind";
import { cronKind } from "./cron/kind";
import { deploymentKind } from "./deployment/kind";
import { listenerKind } from "./listener/kind";
import { runKind } from "./run/kind";
import { storeItemKind } from "./store-item/kind";
import { storeItemsKind } from "./store-items/kind";
import { threadKind } from "./thread/kind";
import { gitReader } from "./repository/git-reader";

/** All kinds of resources, by the names under which `pulumi-agentserver/provider` exports them for ever. */
export const kindsIn = (env: NodeJS.ProcessEnv) => ({
  provider: deploymentKind(gitReader(env)),
  assistant: assistantKind(),
  cron: cronKind(),
  listener: listenerKind(),
  run: runKind(),
  storeItem: storeItemKind(),
  storeItems: storeItemsKind(),
  thread: threadKind(),
});
