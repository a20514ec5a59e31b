import type { AxiosInstance, AxiosRequestHeaders, AxiosResponse } from "axios";
import type { z } from "zod";
import type { Clock } from "../clock";
import { timeoutError, type Deadline } from "../deadline";
import { AgentServerError, type ErrorFacts } from "../errors";
import { formatDuration } from "../text/duration";
import { withoutCredentials } from "../text/address-credentials";
import { parseJson, refusal, unexpectedAnswer } from "./answer";
import { loadAxios } from "./lazy-axios";
import { noAnswer, refusedTunnel, type Way } from "./no-answer";
import { isTransientStatus, parseRetryAfter, retryPause, type RetryPolicy, RetryBudget } from "./retry";
import type { Service, ServiceTexts } from "./service";

/** Maximum time for a complete response, in milliseconds. */
const defaultAnswerTimeoutMs = 30_000;
/**
 * Time after a deadline during which the response to a write that was sent before the deadline is accepted, in
 * milliseconds.
 */
const lastResponseMs = 10_000;
/** Maximum age of the read that the first attempt of a write relies on, in milliseconds. */
const longestTrustMs = 2_000;
/**
 * Time after a deadline during which reads may determine which changes the service accepted before the deadline, in
 * milliseconds.
 */
const concludingMs = 20_000;
/** Maximum size of a response, in bytes. */
const answerLimit = 16 * 1024 * 1024;

export interface TransportOptions {
  service: Service;
  clock: Clock;
  retry: RetryPolicy;
  /** Returns a random number between 0 and 1, for the jitter of pauses. */
  random: () => number;
  /**
   * Time limit of the operation. No write is sent after the deadline. Reads are sent for another 20 s to determine
   * which changes the service accepted before the deadline.
   */
  deadline?: Deadline;
  /** True if the responses are optional, so that nothing is sent while the service requires a pause. */
  isOptional?: boolean;
  /** Called before each pause, for example to update a status line. */
  onRetry?: (error: AgentServerError, pauseMs: number) => void;
  /** Signal that cancels every request that does not have its own signal. */
  signal?: AbortSignal;
  /** Removes secrets from text that the server returned. */
  redact?: (text: string) => string;
  /**
   * Retry budget, shared by all requests of one operation. By default, a new budget with the default limits is used.
   */
  budget?: RetryBudget;
  /** Maximum time for a complete response, in milliseconds of real time; 30 s by default. */
  answerTimeoutMs?: number;
}

/** A request, with the schema of its response. */
export interface RequestSpec<Schema extends z.ZodType | undefined> {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below the service's address, for example `/v2/deployments`. */
  path: string;
  query?: Record<string, string | number>;
  body?: unknown;
  /**
   * Called immediately before each attempt, because the state of the service may change during a pause. Returns the
   * body, if there is one. If it throws, nothing is sent.
   */
  prepare?: () => Promise<unknown>;
  /** Schema of the response; omitted if the body is not needed. */
  answer?: Schema;
  /** Details to include in an error, in addition to the method and path of the request. */
  facts?: ErrorFacts;
  /** Consequence to report if the request cannot be sent in time, for example `deployment d-1 was not changed`. */
  undone?: string;
  /** True for a POST that does not change anything. */
  isRead?: boolean;
  /** True if the request is part of a wait with its own deadline. Its retries do not use the budget. */
  duringWait?: boolean;
  /** Signal that replaces the transport's own signal; null if the request must not be canceled. */
  signal?: AbortSignal | null;
}

type AnySpec = RequestSpec<z.ZodType | undefined>;

/**
 * Check that runs immediately before each write attempt. If it throws, nothing is sent.
 * @param since time after which the checked data must have been read, in milliseconds since 1970
 */
export type Guard = (since: number) => Promise<void>;

/**
 * Sends requests with headers and limits, retries them if that is harmless, and throws errors with the details of the
 * request.
 */
export class Transport {
  private readonly http: () => AxiosInstance;
  private readonly way: Way;
  private readonly budget: RetryBudget;

  constructor(
    private readonly options: TransportOptions,
    private readonly guard?: Guard,
  ) {
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
      (http ??= loadAxios().create({
        baseURL: baseUrl,
        headers: { ...service.headers, Accept: "application/json" },
        responseType: "text",
        // By default, axios copies an object first, and omits keys such as `constructor`.
        transformRequest: (text: unknown, headers: AxiosRequestHeaders) => {
          if (text !== undefined) headers.setContentType("application/json");
          return text;
        },
        transformResponse: (text: unknown) => text,
        validateStatus: () => true,
        // A redirect to another host would also send the key there.
        maxRedirects: 0,
        maxContentLength: answerLimit,
        ...route.axios,
      }));
  }

  /** Returns a transport for the same operation with this guard, in addition to the existing guards. */
  guarded(guard: Guard): Transport {
    const { guard: earlier } = this;
    const both = async (since: number) => {
      await earlier?.(since);
      await guard(since);
    };
    return new Transport({ ...this.options, budget: this.budget }, both);
  }

  /** Returns a transport for the same operation without guards. */
  unguarded(): Transport {
    return new Transport({ ...this.options, budget: this.budget });
  }

  /** Name of the service and advice about it, for error messages. */
  get texts(): ServiceTexts {
    return this.way.texts;
  }

  /**
   * Sends the request, and retries it if that is harmless: GET, PUT, and DELETE after transient failures; POST and
   * PATCH only if the server is known not to have processed them.
   */
  async send<Schema extends z.ZodType | undefined>(
    spec: RequestSpec<Schema>,
  ): Promise<Schema extends z.ZodType ? z.infer<Schema> : undefined> {
    const { clock, retry, random, onRetry } = this.options;
    const facts: ErrorFacts = { ...spec.facts, request: `${spec.method} ${spec.path}` };
    let pausedAt = Number.NEGATIVE_INFINITY;
    for (let tries = 1; ; tries += 1) {
      const body = await this.takeTurn(spec, facts, pausedAt);
      try {
        return (await this.sendOnce({ ...spec, body }, facts)) as never;
      } catch (error) {
        if (!AgentServerError.is(error) || tries >= retry.attempts || !mayRepeat(spec.method, error))
          throw error;
        const pause = retryPause(retry, tries, error.facts.retryAfterMs, random);
        if (clock.now() + pause > this.latestFor(spec)) throw error;
        if (!spec.duringWait && !this.budget.spend(pause)) throw error;
        onRetry?.(error, pause);
        pausedAt = clock.now();
        await clock.sleep(pause, this.signalOf(spec));
      }
    }
  }

  private async sendOnce<Schema extends z.ZodType | undefined>(
    spec: RequestSpec<Schema>,
    facts: ErrorFacts,
  ): Promise<unknown> {
    const { clock, service, redact } = this.options;
    const { pace } = service;
    const answer = await this.exchange(spec, facts);
    pace?.sawDate(answer.headers["date"]);
    // Any status from 200 to 299 is a success if the response is valid.
    if (answer.status < 200 || answer.status >= 300) {
      // A date in `Retry-After` is relative to the server's clock.
      const now = Date.parse(String(answer.headers["date"]));
      const retryAfterMs = parseRetryAfter(
        answer.headers["retry-after"],
        Number.isNaN(now) ? clock.now() : now,
      );
      const error = refusal(answer, { ...facts, retryAfterMs }, service, redact);
      // With any other status, the pause applies only to this request.
      if (retryAfterMs !== undefined && (answer.status === 429 || answer.status === 503))
        pace?.pause(Math.min(retryAfterMs, this.options.retry.retryAfterCapMs));
      throw error;
    }
    if (!spec.answer) return undefined;
    const parsed = spec.answer.safeParse(parseJson(answer.data));
    if (!parsed.success) throw unexpectedAnswer(answer, facts, this.way.texts, parsed.error);
    return parsed.data;
  }

  /**
   * Returns the latest time at which a request may be sent, in milliseconds since 1970. A read that starts after the
   * deadline may be sent up to 20 s after it. An earlier read does not wait beyond the deadline for its turn.
   */
  private latestFor(spec: AnySpec): number {
    const { at } = this.options.deadline ?? { at: Number.POSITIVE_INFINITY };
    return isRead(spec) && this.isOver ? at + concludingMs : at;
  }

  private get isOver(): boolean {
    const { clock, deadline } = this.options;
    return deadline !== undefined && clock.now() >= deadline.at;
  }

  /**
   * Waits for the turn of the request, and returns its body.
   * @param pausedAt start of the pause before this attempt, in milliseconds since 1970
   * @throws AgentServerError `timeout` if the request cannot be sent in time
   */
  private async takeTurn(spec: AnySpec, facts: ErrorFacts, pausedAt: number): Promise<unknown> {
    const { clock, deadline, isOptional, service } = this.options;
    const { pace } = service;
    const latest = this.latestFor(spec);
    const turn = { latest, isOptional: isOptional || this.isOver, signal: this.signalOf(spec) };
    const mayBeSent = pace ? await pace.turn(turn) : clock.now() <= latest;
    if (mayBeSent) {
      const guard = isRead(spec) ? undefined : this.guard;
      if (!spec.prepare && !guard) return spec.body;
      await guard?.(Math.max(pausedAt, clock.now() - longestTrustMs)).catch(rethrowUnsent);
      const body = spec.prepare ? await spec.prepare().catch(rethrowUnsent) : spec.body;
      // Another request may have caused a pause in the meantime.
      return clock.now() > latest || pace?.pausedMs ? this.takeTurn(spec, facts, pausedAt) : body;
    }
    const undone = spec.undone ?? `${facts.request} was not sent`;
    const pausedMs = pace?.pausedMs ?? 0;
    const paused = `The ${service.texts.name} has requested a pause of ${formatDuration(pausedMs)}`;
    if (!deadline || isOptional)
      throw new AgentServerError("server_failed", `${paused}, so ${undone}.`, {
        ...facts,
        notProcessed: true,
        final: true,
      });
    const isEarly = clock.now() <= latest;
    const early =
      pausedMs > 0
        ? `${paused} that extends`
        : `The request limit (${service.texts.limitSetting}) delays the request`;
    throw timeoutError(deadline, undone, facts, isEarly ? early : undefined);
  }

  private async exchange(spec: AnySpec, facts: ErrorFacts): Promise<AxiosResponse<string>> {
    const signal = this.signalOf(spec);
    // Uses real time, because the response arrives in real time even if a test's clock ends a sleep at once.
    const { deadline } = this.options;
    const last = isRead(spec) ? concludingMs : lastResponseMs;
    const left = deadline ? deadline.at + last - this.options.clock.now() : Number.POSITIVE_INFINITY;
    const maxWaitMs = Math.ceil(Math.min(this.way.answerTimeoutMs, Math.max(1_000, left)));
    const timeout = AbortSignal.timeout(maxWaitMs);
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
      throw noAnswer(error, facts, this.way, timeout.aborted ? maxWaitMs : undefined);
    }
    if (this.way.proxy && cameInClear(answer) && this.way.baseUrl.startsWith("https:"))
      throw refusedTunnel(answer.status, facts, this.way);
    return answer;
  }

  private signalOf({ signal }: AnySpec): AbortSignal | undefined {
    return signal === undefined ? this.options.signal : (signal ?? undefined);
  }
}

/** True if the response was received over an unencrypted connection. */
function cameInClear(answer: AxiosResponse): boolean {
  const { socket } = answer.request as { socket?: { encrypted?: boolean } };
  return socket?.encrypted !== true;
}

function isRead(spec: AnySpec): boolean {
  return spec.isRead ?? spec.method === "GET";
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

/** Rethrows the error of a read that precedes a write, marked as `notProcessed` because the write was not sent. */
function rethrowUnsent(error: unknown): never {
  if (!AgentServerError.is(error)) throw error;
  throw new AgentServerError(
    error.code,
    error.message,
    { ...error.facts, notProcessed: true },
    { cause: error },
  );
}
