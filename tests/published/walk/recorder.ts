import type { Exchange } from "../judge/exchange";

/** A response with its parsed JSON body. */
interface Visited<Body> {
  status: number;
  body: Body;
}

/** HTTP client that records every exchange without checking it. */
export class Recorder {
  readonly exchanges: Exchange[] = [];

  /** @param base prefix of all paths, which is not recorded */
  constructor(
    private readonly base: string,
    private readonly headers: Record<string, string>,
  ) {}

  /** Sends a request. The caller specifies the type of the response, which is checked later. */
  async visit<Body = unknown>(
    method: string,
    target: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Visited<Body>> {
    const answer = await fetch(this.base + target, {
      method,
      redirect: "manual",
      headers: {
        ...this.headers,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const media = answer.headers.get("content-type")?.split(";")[0] ?? "";
    const read: unknown = text === "" ? undefined : media === "application/json" ? JSON.parse(text) : text;
    this.record(method, target, body, { status: answer.status, media, body: read });
    return { status: answer.status, body: read as Body };
  }

  /** Opens an endless stream, and closes it as soon as it has started. Returns the status. */
  async open(method: string, target: string, body: unknown): Promise<number> {
    const leaving = new AbortController();
    const answer = await fetch(this.base + target, {
      method,
      headers: { ...this.headers, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    const media = answer.headers.get("content-type")?.split(";")[0] ?? "";
    this.record(method, target, body, { status: answer.status, media, body: "" });
    leaving.abort();
    return answer.status;
  }

  /** Records an exchange of another client. */
  record(method: string, target: string, body: unknown, answer: Exchange["answer"]): void {
    const { pathname, searchParams } = new URL(target, "http://localhost");
    const query = Object.fromEntries(
      [...new Set(searchParams.keys())].map((name) => {
        const all = searchParams.getAll(name);
        return [name, all.length === 1 ? all[0]! : all];
      }),
    );
    this.exchanges.push({
      method,
      path: pathname,
      query,
      ...(body !== undefined && { body }),
      ...(answer && { answer }),
    });
  }
}
