import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a control plane does not do, or not as the local one does. */
export interface ServerLimits {
  /** How it keeps the values of secrets to itself: without the list, with names alone, or with marks in their place. */
  secrets?: "left out" | "names" | "masked";
  /** Fields of records that it does not report, such as `source_config.custom_url`. */
  hides?: readonly string[];
  /** Most rows of a page, whatever is asked for. */
  pageCap?: number;
  /** Whether it answers every deployment, whatever the filter. */
  ignoresFilters?: boolean;
  /** Operations that it does not have, with what it answers. */
  lacks?: readonly { method: string; path: RegExp; status: number; detail?: string }[];
}

type Json = Record<string, unknown>;

/** A control plane with limits: it stands before the local one, whose journal shows what was really asked. */
export class LimitedServer {
  private readonly server: Server;

  /** @param origin where the local control plane is by now */
  constructor(
    private readonly limits: ServerLimits,
    private readonly origin: () => string,
  ) {
    this.server = createServer((request, response) => {
      this.answer(request, response).catch(() => response.destroy());
    });
  }

  /** Starts to listen. @returns its origin */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET" } = request;
    const url = new URL(request.url ?? "/", this.origin());
    const lacking = this.limits.lacks?.find((one) => one.method === method && one.path.test(url.pathname));
    const body = (await request.setEncoding("utf8").toArray()).join("");
    if (lacking) {
      const detail = lacking.detail ?? "Not available here.";
      response.writeHead(lacking.status, { "content-type": "application/json" });
      response.end(JSON.stringify({ detail }));
      return;
    }
    this.limitQuery(url);
    const headers = Object.entries(request.headers).filter(
      ([name, value]) =>
        typeof value === "string" && !["host", "connection", "content-length"].includes(name),
    );
    const answer = await fetch(url, {
      method,
      headers: headers as [string, string][],
      body: body === "" ? undefined : body,
      redirect: "manual",
    });
    const text = await answer.text();
    const passed = ["content-type", "retry-after"].flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    response.writeHead(answer.status, Object.fromEntries(passed));
    response.end(
      answer.ok && text.startsWith("{") ? JSON.stringify(this.limited(JSON.parse(text) as Json)) : text,
    );
  }

  private limitQuery({ searchParams }: URL): void {
    const { pageCap, ignoresFilters } = this.limits;
    if (ignoresFilters) searchParams.delete("name_contains");
    const asked = searchParams.get("limit");
    if (pageCap !== undefined && (asked === null || Number(asked) > pageCap))
      searchParams.set("limit", String(pageCap));
  }

  private limited(body: Json): Json {
    const { resources } = body;
    if (Array.isArray(resources))
      return { ...body, resources: (resources as Json[]).map((row) => this.limited(row)) };
    const record = structuredClone(body);
    if (Array.isArray(record["secrets"])) this.limitSecrets(record);
    for (const path of this.limits.hides ?? []) {
      const [group = "", field] = path.split(".");
      if (field === undefined) delete record[group];
      else delete (record[group] as Json | undefined)?.[field];
    }
    return record;
  }

  private limitSecrets(record: Json): void {
    const { secrets } = this.limits;
    const all = record["secrets"] as { name: string }[];
    if (secrets === "left out") delete record["secrets"];
    if (secrets === "names") record["secrets"] = all.map(({ name }) => ({ name }));
    if (secrets === "masked") record["secrets"] = all.map(({ name }) => ({ name, value: "********" }));
  }
}
