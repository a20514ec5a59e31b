import type { AxiosInstance, AxiosRequestHeaders, AxiosResponse } from "axios";
import type { z } from "zod";
import type { Clock } from "../clock";
import { AgentServerError, type ErrorFacts } from "../errors";
import { withoutCredentials } from "../text/address-credentials";
import { parseJson, refusal, unexpectedAnswer } from "./answer";
import { lateAxios } from "./lazy-axios";
import { noAnswer, refusedTunnel, type Way } from "./no-answer";
import { isTransientStatus, parseRetryAfter, retryPause, type RetryPolicy, RetryBudget } from "./retry";
import type { Service, ServiceTexts } from "./service";

/** Longest time for one answer to arrive to its end, in milliseconds. */
const defaultAnswerTimeoutMs = 30_000;
/** Largest answer that is read, in bytes. */
const answerLimit = 16 * 1024 * 1024;

export interface TransportOptions {
  service: Service;
  clock: Clock;
  retry: RetryPolicy;
  /** Between 0 and 1, for the jitter. */
  random: () => number;
  /** No pause goes beyond this moment, in milliseconds since 1970. */
  deadline?: number;
  /** Told before each pause, so that a status line can say it. */
  onRetry?: (error: AgentServerError, pauseMs: number) => void;
  /** Ends every request that has no signal of its own. */
  signal?: AbortSignal;
  /** Takes secrets out of what the server says. */
  redact?: (text: string) => string;
  /** Shared by all requests of one operation; by default one of the usual size for this transport alone. */
  budget?: RetryBudget;
  /** Longest time for one answer to arrive to its end, in milliseconds of real time; by default 30 s. */
  answerTimeoutMs?: number;
}

/** One request and what its answer must look like. */
export interface RequestSpec<Schema extends z.ZodType | undefined> {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below the service's address, for example `/v2/deployments`. */
  path: string;
  query?: Record<string, string | number>;
  body?: unknown;
  /** Shape of the answer; left out where the body does not matter. */
  answer?: Schema;
  /** What an error of it is about, besides the request. */
  facts?: ErrorFacts;
  /** Part of a wait, which has a deadline of its own: repeating spends nothing of the budget. */
  duringWait?: boolean;
  /** In place of the transport's own; null for a request that nothing is to end. */
  signal?: AbortSignal | null;
}

/** Sends requests: headers, bounds, retries of what may be repeated, and errors that carry the facts. */
export class Transport {
  private readonly http: () => AxiosInstance;
  private readonly way: Way;
  private readonly budget: RetryBudget;

  constructor(private readonly options: TransportOptions) {
    const { service, answerTimeoutMs = defaultAnswerTimeoutMs, budget = new RetryBudget() } = options;
    const { baseUrl, texts } = service;
    const route = service.network.routeTo(baseUrl, texts.name);
    this.way = {
      texts,
      baseUrl: withoutCredentials(baseUrl),
      proxy: route.proxy,
      answerTimeoutMs,
      answerLimit,
    };
    this.budget = budget;
    let http: AxiosInstance | undefined;
    this.http = () =>
      (http ??= lateAxios().create({
        baseURL: baseUrl,
        headers: { ...service.headers, Accept: "application/json" },
        responseType: "text",
        // Left to itself, axios copies an object first, and leaves out keys such as `constructor`.
        transformRequest: (text: unknown, headers: AxiosRequestHeaders) => {
          if (text !== undefined) headers.setContentType("application/json");
          return text;
        },
        transformResponse: (text: unknown) => text,
        validateStatus: () => true,
        // A redirect to another host would carry the key along.
        maxRedirects: 0,
        maxContentLength: answerLimit,
        ...route.axios,
      }));
  }

  /** What errors say about the service. */
  get texts(): ServiceTexts {
    return this.way.texts;
  }

  /**
   * Sends the request, again where that cannot do harm: GET, PUT and DELETE after passing failures, POST and
   * PATCH only when the request surely was not taken.
   */
  async send<Schema extends z.ZodType | undefined>(
    spec: RequestSpec<Schema>,
  ): Promise<Schema extends z.ZodType ? z.infer<Schema> : undefined> {
    const { clock, retry, random, onRetry, deadline = Number.POSITIVE_INFINITY } = this.options;
    for (let tries = 1; ; tries += 1) {
      try {
        return (await this.sendOnce(spec)) as never;
      } catch (error) {
        if (!AgentServerError.is(error) || tries >= retry.attempts || !mayRepeat(spec.method, error))
          throw error;
        const pause = retryPause(retry, tries, error.facts.retryAfterMs, random);
        if (clock.now() + pause > deadline) throw error;
        if (!spec.duringWait && !this.budget.spend(pause)) throw error;
        onRetry?.(error, pause);
        await clock.sleep(pause, this.signalOf(spec));
      }
    }
  }

  private async sendOnce<Schema extends z.ZodType | undefined>(spec: RequestSpec<Schema>): Promise<unknown> {
    const { clock, service, redact } = this.options;
    const { pace } = service;
    const facts: ErrorFacts = { ...spec.facts, request: `${spec.method} ${spec.path}` };
    await pace?.turn({ deadline: this.options.deadline, signal: this.signalOf(spec) });
    const answer = await this.exchange(spec, facts);
    pace?.sawDate(answer.headers["date"]);
    // Any other success than the documented one counts too, if the answer has the right shape.
    if (answer.status < 200 || answer.status >= 300) {
      const retryAfterMs = parseRetryAfter(answer.headers["retry-after"], clock.now());
      const error = refusal(answer, { ...facts, retryAfterMs }, service, redact);
      if (retryAfterMs !== undefined)
        pace?.silence(Math.min(retryAfterMs, this.options.retry.retryAfterCapMs), error);
      throw error;
    }
    if (!spec.answer) return undefined;
    const parsed = spec.answer.safeParse(parseJson(answer.data));
    if (!parsed.success) throw unexpectedAnswer(answer, facts, this.way.texts, parsed.error);
    return parsed.data;
  }

  private async exchange(
    spec: RequestSpec<z.ZodType | undefined>,
    facts: ErrorFacts,
  ): Promise<AxiosResponse<string>> {
    const signal = this.signalOf(spec);
    // Real time on purpose: the answer comes in real time also where a test's clock lets a sleep pass at once.
    const timeout = AbortSignal.timeout(this.way.answerTimeoutMs);
    let answer: AxiosResponse<string>;
    try {
      answer = await this.http().request<string>({
        method: spec.method,
        url: spec.path,
        params: spec.query,
        data: spec.body === undefined ? undefined : JSON.stringify(spec.body),
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw noAnswer(error, facts, this.way, timeout.aborted);
    }
    if (this.way.proxy && cameInClear(answer) && this.way.baseUrl.startsWith("https:"))
      throw refusedTunnel(answer.status, facts, this.way);
    return answer;
  }

  private signalOf({ signal }: RequestSpec<z.ZodType | undefined>): AbortSignal | undefined {
    return signal === undefined ? this.options.signal : (signal ?? undefined);
  }
}

/** Whether the answer's connection was not encrypted. */
function cameInClear(answer: AxiosResponse): boolean {
  const { socket } = answer.request as { socket?: { encrypted?: boolean } };
  return socket?.encrypted !== true;
}

function mayRepeat(method: RequestSpec<undefined>["method"], error: AgentServerError): boolean {
  if (error.facts.final) return false;
  if (error.facts.notProcessed) return true;
  if (method === "POST" || method === "PATCH") return false;
  return (
    error.code === "connection_failed" ||
    (error.facts.status !== undefined && isTransientStatus(error.facts.status))
  );
}
