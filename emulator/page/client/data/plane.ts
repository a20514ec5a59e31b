import type { Deployment, Facts, JournalEntry, LogEntry, Revision, Session } from "./types";

/** Error for a request that the control plane rejected or did not respond to. */
export class PlaneError extends Error {
  override name = "PlaneError";

  /** @param status - HTTP status, or 0 if there was no response */
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const maxWaitMs = 10_000;

type Query = Record<string, string | number | undefined>;

/** Query of one page of a log. */
export interface LogQuery {
  type?: string;
  query?: string;
  order?: "asc" | "desc";
  limit?: number;
  offset?: string;
}

/** Client of the control plane for the signed-in user. */
export class Plane {
  readonly #headers: Record<string, string>;
  readonly #adminHeaders: Record<string, string>;

  /** @param adminKey - key of the admin API, if it has its own; otherwise `apiKey` may be sufficient */
  constructor({ apiKey, tenantId, adminKey }: Session) {
    this.#headers = { "X-Api-Key": apiKey, "X-Tenant-Id": tenantId };
    this.#adminHeaders = { "X-Api-Key": adminKey ?? apiKey };
  }

  /** Returns the facts that are available before sign-in. */
  static facts(): Promise<Facts> {
    return ask("GET", "page/facts");
  }

  /** Exchanges the code from a sign-in link for the keys of the user. The code cannot be used again. */
  static enter(code: string): Promise<Session> {
    return ask("POST", "page/sign-in", {}, { code });
  }

  facts(): Promise<Facts> {
    return ask("GET", "page/facts", this.#adminHeaders);
  }

  deployments(page: { nameContains?: string; limit: number; offset?: number }) {
    const { nameContains, limit, offset = 0 } = page;
    const query = { limit, offset, name_contains: nameContains };
    return this.#read<{ resources: Deployment[] }>("page/v2/deployments", query);
  }

  deployment(deploymentId: string) {
    return this.#read<Deployment>(`page/v2/deployments/${encodeURIComponent(deploymentId)}`, {});
  }

  revisions(deploymentId: string, limit: number) {
    const path = `page/v2/deployments/${encodeURIComponent(deploymentId)}/revisions`;
    return this.#read<{ resources: Revision[] }>(path, { limit });
  }

  log(deploymentId: string, revisionId: string, query: LogQuery) {
    const path = `page/v2/deployments/${encodeURIComponent(deploymentId)}/revisions/${encodeURIComponent(revisionId)}/logs`;
    return this.#read<{ logs: LogEntry[] }>(path, { ...query });
  }

  journal(query: Query) {
    return this.#read<{ entries: JournalEntry[] }>("admin/journal", query, this.#adminHeaders);
  }

  /** Returns a single-use code that gives access to the agent's own origin. */
  agentSignInCode(deploymentId: string): Promise<{ code: string }> {
    const path = `page/agents/${encodeURIComponent(deploymentId)}/sign-in-codes`;
    return ask("POST", path, this.#headers);
  }

  /** Redeploys or interrupts a revision through the public API, like any client. */
  ofRevision(deploymentId: string, revisionId: string, word: "redeploy" | "interrupt"): Promise<unknown> {
    const path = ["v2/deployments", deploymentId, "revisions", revisionId, word];
    return ask("POST", path.join("/"), this.#headers);
  }

  admin(method: string, path: string, body?: unknown): Promise<unknown> {
    return ask(method, `admin/${path}`, this.#adminHeaders, body);
  }

  #read<Content>(path: string, query: Query, headers = this.#headers): Promise<Content> {
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [[name, String(value)]],
    );
    return ask<Content>("GET", `${path}?${new URLSearchParams(given).toString()}`, headers);
  }
}

async function ask<Content>(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
): Promise<Content> {
  const answer = await send(method, path, headers, body);
  const text = await answer.text();
  const content = parsed(text);
  if (!answer.ok)
    throw new PlaneError(answer.status, detailOf(content) ?? `The control plane returned ${answer.status}.`);
  return content as Content;
}

async function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<Response> {
  try {
    return await fetch(path, {
      method,
      headers: body === undefined ? headers : { ...headers, "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store",
      credentials: "omit",
      signal: AbortSignal.timeout(maxWaitMs),
    });
  } catch (error) {
    throw new PlaneError(0, (error as Error).name === "TimeoutError" ? "request timed out" : "no connection");
  }
}

function parsed(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the message in `detail`, which is a string or a list of validation errors. */
function detailOf(content: unknown): string | undefined {
  const { detail } = (content ?? {}) as { detail?: string | { loc: string[]; msg: string }[] };
  if (!Array.isArray(detail)) return detail;
  return detail.map(({ loc, msg }) => `${loc.slice(1).join(".")}: ${msg}`).join("; ");
}
