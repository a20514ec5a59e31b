import type { Exchange } from "../judge/exchange";

/** An answer, with its JSON read. */
interface Visited<Body> {
  status: number;
  body: Body;
}

/** A client over HTTP that checks nothing and keeps every exchange. */
export class Recorder {
  readonly exchanges: Exchange[] = [];

  /** @param base - What all paths are below; it is not part of what is recorded. */
  constructor(
    private readonly base: string,
    private readonly headers: Record<string, string>,
  ) {}

  /** The answer's body has the type that the caller names; whether it is one is for the judge to say. */
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

  /** The same for a stream that never ends: it is left as soon as it has begun. */
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

  /** Adds an exchange that was made elsewhere. */
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
