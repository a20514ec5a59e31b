import axios, { type AxiosInstance, type AxiosResponse } from "axios";
import type { z } from "zod";
import type { Clock } from "../clock";
import { AgentServerError } from "../errors";
import { connectionFailure, parseJson, refusal, unexpectedAnswer } from "./answer";
import type { Connection } from "./connection";
import { isTransientStatus, parseRetryAfter, retryPause, type RetryPolicy } from "./retry";

/** Longest time for one answer to arrive, in milliseconds. */
const answerTimeoutMs = 30_000;
/** Largest answer that is read, in bytes. */
const answerLimit = 16 * 1024 * 1024;

export interface TransportOptions {
  connection: Connection;
  clock: Clock;
  retry: RetryPolicy;
  /** Between 0 and 1, for the jitter. */
  random: () => number;
  /** No pause goes beyond this moment, in milliseconds since 1970. */
  deadline?: number;
  /** Told before each pause, so that a status line can say it. */
  onRetry?: (error: AgentServerError, pauseMs: number) => void;
}

/** One request and what its answer must look like. */
export interface RequestSpec<Schema extends z.ZodType | undefined> {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Path below the control plane's URL, for example `/v2/deployments`. */
  path: string;
  query?: Record<string, string | number>;
  body?: unknown;
  /** Statuses that mean success. */
  success: number[];
  /** Shape of the answer; left out where the body does not matter. */
  answer?: Schema;
  deploymentId?: string;
  revisionId?: string;
  signal?: AbortSignal;
}

/** Sends requests: headers, bounds, retries of what may be repeated, and errors that carry the facts. */
export class Transport {
  private readonly http: AxiosInstance;

  constructor(private readonly options: TransportOptions) {
    const { baseUrl, apiKey, tenantId } = options.connection;
    this.http = axios.create({
      baseURL: baseUrl,
      headers: {
        "X-Api-Key": apiKey,
        ...(tenantId === undefined ? {} : { "X-Tenant-Id": tenantId }),
        Accept: "application/json",
      },
      responseType: "text",
      transformResponse: (text: unknown) => text,
      validateStatus: () => true,
      // A redirect to another host would carry the key along.
      maxRedirects: 0,
      maxContentLength: answerLimit,
    });
  }

  /**
   * Sends the request, again where that cannot do harm: GET and DELETE after passing failures, POST and PATCH
   * only when the request surely was not taken.
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
        onRetry?.(error, pause);
        await clock.sleep(pause, spec.signal);
      }
    }
  }

  private async sendOnce<Schema extends z.ZodType | undefined>(spec: RequestSpec<Schema>): Promise<unknown> {
    const facts = {
      request: `${spec.method} ${spec.path}`,
      deploymentId: spec.deploymentId,
      revisionId: spec.revisionId,
    };
    // Real time on purpose: the answer comes in real time also where a test's clock lets a sleep pass at once.
    const timeout = AbortSignal.timeout(answerTimeoutMs);
    let answer: AxiosResponse<string>;
    try {
      answer = await this.http.request<string>({
        method: spec.method,
        url: spec.path,
        params: spec.query,
        data: spec.body,
        signal: spec.signal ? AbortSignal.any([spec.signal, timeout]) : timeout,
      });
    } catch (error) {
      if (spec.signal?.aborted) throw spec.signal.reason;
      throw connectionFailure(error, facts, this.options.connection.baseUrl, timeout.aborted);
    }
    if (!spec.success.includes(answer.status)) {
      const retryAfterMs = parseRetryAfter(answer.headers["retry-after"], this.options.clock.now());
      throw refusal(answer, { ...facts, retryAfterMs });
    }
    if (!spec.answer) return undefined;
    const parsed = spec.answer.safeParse(parseJson(answer.data));
    if (!parsed.success) throw unexpectedAnswer(answer, facts, parsed.error);
    return parsed.data;
  }
}

function mayRepeat(method: RequestSpec<undefined>["method"], error: AgentServerError): boolean {
  if (error.facts.notTaken) return true;
  if (method === "POST" || method === "PATCH") return false;
  return (
    error.code === "connection_failed" ||
    (error.facts.status !== undefined && isTransientStatus(error.facts.status))
  );
}
