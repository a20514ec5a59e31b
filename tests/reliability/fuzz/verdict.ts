import type { Exceptions } from "../../published/judge/exceptions";
import type { Exchange, Judge } from "../../published/judge/exchange";
import type { FuzzRequest } from "./request";
import type { FuzzAnswer } from "./sending";

/** Responses that a server may return. */
export interface Rules {
  judge: Judge;
  /** The server's own document, which is more specific about error responses than the published one. */
  own: Judge;
  /** Documented differences from the published API, with reasons. */
  exceptions: Exceptions;
  /** Strings that must not occur in an error response. */
  secrets: readonly string[];
  /**
   * True if the server rejects the request before routing it, so that the documented response of the operation does not
   * apply.
   */
  isRefusedEarly?: (request: FuzzRequest, answer: FuzzAnswer) => boolean;
}

/** Returns the problems with a response, one per line. */
export function findings(request: FuzzRequest, answer: FuzzAnswer, rules: Rules): string[] {
  const { judge, exceptions, secrets } = rules;
  const judged = (exchange: Exchange): string[] => {
    const found = judge.answer(exchange, false);
    if (exchange.answer!.status < 400 || found.length === 0) return found;
    return rules.own.answer(exchange, false).length === 0 ? [] : found;
  };
  const { pathname } = new URL(`http://server${request.target}`);
  const exchange = { method: request.method, path: pathname, answer: readable(answer) };
  const operation = judge.operationOf(exchange);
  const at = `${operation ?? rules.own.operationOf(exchange) ?? request.operation} ${answer.status}`;
  const all = [
    ...(answer.status >= 500 ? [`${at}: blames the server`] : []),
    ...(operation === undefined || rules.isRefusedEarly?.(request, answer) ? [] : judged(exchange)),
    ...(answer.status >= 400 ? refusalFindings(at, exchange.answer, request.method) : []),
    ...(answer.status === 405 && !isAllowing(answer, request.method) ? [`${at}: no methods in Allow`] : []),
    ...(answer.status >= 400 && secrets.some((secret) => everything(answer).includes(secret))
      ? [`${at}: tells a secret`]
      : []),
  ];
  return [...new Set(all)].filter((finding) => !exceptions.some(([pattern]) => pattern.test(finding)));
}

function readable({ status, headers, text }: FuzzAnswer): NonNullable<Exchange["answer"]> {
  const media = (headers["content-type"] ?? "").split(";")[0]!;
  if (media === "text/event-stream") return { status, media, body: "" };
  return {
    status,
    media,
    body: text === "" ? undefined : media === "application/json" ? parsed(text) : text,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return Symbol("no JSON");
  }
}

/** Checks that error responses state the reason, either in a sentence or for each invalid field. */
function refusalFindings(
  at: string,
  { media, body }: NonNullable<Exchange["answer"]>,
  method: string,
): string[] {
  if (method === "HEAD") return [];
  if (media !== "application/json") return [`${at}: a refusal of ${media || "no type"}`];
  const { detail } = (body ?? {}) as { detail?: unknown };
  const says = (typeof detail === "string" && detail !== "") || (Array.isArray(detail) && detail.length > 0);
  return says ? [] : [`${at}: a refusal without detail`];
}

function isAllowing({ headers }: FuzzAnswer, method: string): boolean {
  const methods = (headers.allow ?? "").split(", ");
  return methods[0] !== "" && !methods.includes(method);
}

const everything = ({ headers, text }: FuzzAnswer): string => JSON.stringify(headers) + text;
