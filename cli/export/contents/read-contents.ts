import {
  type AssistantRecord,
  type CronRecord,
  recordLabel,
  type StoreItemRecord,
} from "../../../provider/agent-server/wire";
import { asError } from "../../../provider/errors";
import { mapConcurrently } from "../../../provider/map-concurrently";
import type { Session } from "../../../provider/session/session";
import type { ContentKind, ExportedDeployment } from "../model";

/** Contents that were found on an agent server. */
export interface FoundContents {
  assistants: AssistantRecord[];
  crons: CronRecord[];
  items: StoreItemRecord[];
}

/** Maximum number of items to export per store. */
export const maxItems = 1_000;

/** Maximum number of agent servers that are queried at the same time. */
const concurrency = 4;

/**
 * Reads the contents of each deployment's agent server. If the contents of a server cannot be read, its result is a
 * string that states the reason.
 */
export async function readContents(
  deployments: readonly ExportedDeployment[],
  kinds: readonly ContentKind[],
  session: Session,
  signal: AbortSignal,
): Promise<Map<ExportedDeployment, FoundContents | string>> {
  const entries = await mapConcurrently(
    deployments,
    concurrency,
    async (deployment) => [deployment, await readServer(deployment, kinds, session, signal)] as const,
  );
  return new Map(entries);
}

async function readServer(
  { found: { url } }: ExportedDeployment,
  kinds: readonly ContentKind[],
  session: Session,
  signal: AbortSignal,
): Promise<FoundContents | string> {
  if (url === undefined) return "it has no URL yet";
  try {
    const { assistants, crons, store } = session.agentServer(url);
    const has = (kind: ContentKind) => kinds.includes(kind);
    const [ofAssistants, ofCrons, items] = await Promise.all([
      // Crons are named after their assistants.
      has("assistants") || has("crons") ? assistants.search({}, signal) : [],
      has("crons") ? crons.search({}, signal) : [],
      has("store") ? store.listByPrefix([], maxItems + 1, signal) : [],
    ]);
    const exported = items.filter(({ namespace: [first] }) => first !== recordLabel);
    return { assistants: ofAssistants, crons: ofCrons, items: exported };
  } catch (thrown) {
    signal.throwIfAborted();
    return asError(thrown).message;
  }
}
