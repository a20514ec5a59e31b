import { askAgent } from "./upstream";

/** A request that creates a run on a thread. */
export interface RunCreation {
  threadId: string;
  strategy: unknown;
}

/** Recognises the creation of a run by method and path below the deployment's URL. */
export function threadOfRunCreation(method: string, path: string): string | undefined {
  return method === "POST"
    ? /^\/threads\/([^/]+)\/runs(?:\/(?:stream|wait))?\/?$/.exec(path)?.[1]
    : undefined;
}

export function strategyIn(body: Uint8Array): unknown {
  try {
    return (JSON.parse(new TextDecoder().decode(body)) as { multitask_strategy?: unknown } | null)
      ?.multitask_strategy;
  } catch {
    // The agent says what is wrong with the body.
    return undefined;
  }
}

export interface Verdict {
  status: 404 | 409;
  detail: string;
}

const busyText = "already running a task";

/**
 * What a 422 of the runtime stands for: it gives the same words for a thread that does not exist as for one
 * that has an active run. Undefined if it means what it says.
 */
export async function verdictOn(
  refusal: string,
  { threadId, strategy }: RunCreation,
  origin: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Verdict | undefined> {
  if (!refusal.includes(busyText)) return undefined;
  const ask = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("content-")));
  const thread = await askAgent({
    method: "GET",
    url: `${origin}/threads/${threadId}`,
    headers: ask,
    signal,
  });
  thread.resume();
  if (thread.statusCode === 404)
    return { status: 404, detail: `Thread ${decodeURIComponent(threadId)} not found.` };
  if (thread.statusCode !== 200 || strategy !== "reject") return undefined;
  // The thread exists and the runtime has just counted its active runs; one of them may have ended meanwhile.
  return {
    status: 409,
    detail:
      `Thread ${decodeURIComponent(threadId)} already has an active run, which goes on. ` +
      'Wait for it, or choose another multitask_strategy than "reject".',
  };
}
