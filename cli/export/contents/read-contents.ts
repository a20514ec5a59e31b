import { recordLabel } from "../../../provider/agent-server/wire";
import type { AssistantRecord, CronRecord, StoreItemRecord } from "../../../provider/agent-server/wire";
import { asError } from "../../../provider/errors";
import type { Session } from "../../../provider/session/session";
import type { ExportedDeployment } from "../exported-deployment";
import type { ContentKind } from "./exported-content";

/** What an agent server holds, as far as it was asked for. */
export interface FoundContents {
  assistants: AssistantRecord[];
  crons: CronRecord[];
  items: StoreItemRecord[];
}

/** Most items of one store that are exported. */
export const mostItems = 1_000;

/** Agent servers that are asked at the same time. */
const atOnce = 4;

/** Asks the agent server of each deployment what it holds; a text says why that is not known. */
export async function readContents(
  deployments: readonly ExportedDeployment[],
  kinds: readonly ContentKind[],
  session: Session,
  signal: AbortSignal,
): Promise<Map<ExportedDeployment, FoundContents | string>> {
  const found = new Map<ExportedDeployment, FoundContents | string>();
  const waiting = [...deployments];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      found.set(next, await contentsOf(next, kinds, session, signal));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return found;
}

async function contentsOf(
  { found: { url } }: ExportedDeployment,
  kinds: readonly ContentKind[],
  session: Session,
  signal: AbortSignal,
): Promise<FoundContents | string> {
  if (url === undefined) return "it has no address yet";
  try {
    const { assistants, crons, store } = session.agentServer(url);
    const has = (kind: ContentKind) => kinds.includes(kind);
    const [ofAssistants, ofCrons, items] = await Promise.all([
      // The assistants of crons are named after them.
      has("assistants") || has("crons") ? assistants.search({}, signal) : [],
      has("crons") ? crons.search({}, signal) : [],
      has("store") ? store.listBelow([], mostItems + 1, signal) : [],
    ]);
    const exported = items.filter(({ namespace: [first] }) => first !== recordLabel);
    return { assistants: ofAssistants, crons: ofCrons, items: exported };
  } catch (thrown) {
    signal.throwIfAborted();
    return asError(thrown).message;
  }
}
