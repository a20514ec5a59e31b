import type { AxiosResponse } from "axios";
import type { z } from "zod";
import { AgentServerError, type ErrorFacts } from "../errors";
import { plainText } from "../text/plain-text";
import { truncate } from "../text/truncate";
import { isTransientStatus } from "./retry";
import type { Service, ServiceTexts } from "./service";
import { nestsTooDeeply } from "../../wire/nesting";

/** Maximum length of an excerpt from a response in a message, in characters. */
const textLimit = 1_000;

/**
 * Returns the error for a response with an unsuccessful status.
 * @param redact removes secrets from the server's text before it is shortened, so that no part of a secret remains
 */
export function refusal(
  answer: AxiosResponse<string>,
  facts: ErrorFacts,
  { texts, detailOf }: Pick<Service, "texts" | "detailOf">,
  redact: (text: string) => string = (text) => text,
): AgentServerError {
  const { status } = answer;
  const reported = detailOf(parseJson(answer.data));
  const detail =
    reported === undefined ? describeBody(answer) : truncate(plainText(redact(reported)), textLimit);
  const all: ErrorFacts = { ...facts, status, detail, requestId: requestIdOf(answer) };
  const said = `${facts.request} returned ${status}: ${detail.replace(/\.+$/, "")}`;
  if (status === 401 || status === 403)
    return new AgentServerError("refused_credentials", `${said}. ${texts.checkCredentials}`, all);
  if (status >= 300 && status < 400)
    return new AgentServerError(
      "bad_configuration",
      `${said}. The ${texts.name} redirects${targetOf(answer)}, and credentials are never sent to the target of a redirect. Set ${texts.addressSetting} to the address that it redirects to.`,
      all,
    );
  if (isTransientStatus(status)) {
    // A rate limiter rejects the request before it is processed.
    const advice = status === 429 ? "received too many requests" : "is failing or overloaded";
    return new AgentServerError(
      "server_failed",
      `${said}. The ${texts.name} ${advice}: run the command again when it has recovered.`,
      { ...all, notProcessed: status === 429 || undefined, timedOut: gaveUpWaiting(status) || undefined },
    );
  }
  const strange = reported === undefined ? `. ${texts.checkAddress}` : "";
  return new AgentServerError("request_refused", said + strange, all);
}

/** True if a proxy timed out while waiting for the server behind it; 524 is a status of a content delivery network. */
function gaveUpWaiting(status: number): boolean {
  return status === 408 || status === 504 || status === 524;
}

/** Returns the target of a redirect without parts of the URL that may be secret. */
function targetOf(answer: AxiosResponse): string {
  const location: unknown = answer.headers["location"];
  const target = typeof location === "string" ? URL.parse(location, addressOf(answer)) : null;
  if (!target || !["http:", "https:"].includes(target.protocol)) return "";
  return ` to ${truncate(plainText(target.origin + target.pathname), textLimit)}`;
}

/** Returns the URL of the request, because a redirect may be relative to it. */
function addressOf({ config }: AxiosResponse): string | undefined {
  return `${config.baseURL ?? ""}${config.url ?? ""}`;
}

/** Returns the error for a response with a successful status and an invalid body. */
export function unexpectedAnswer(
  answer: AxiosResponse<string>,
  facts: ErrorFacts,
  texts: ServiceTexts,
  issue: z.ZodError,
): AgentServerError {
  const first = issue.issues[0];
  const where = first?.path.length
    ? truncate(plainText(`field ${first.path.join(".")}: ${first.message}`), textLimit)
    : describeBody(answer);
  return new AgentServerError(
    "unexpected_response",
    `${facts.request} returned ${answer.status}, but the response is not one that ${withArticle(texts.name)} sends: ${where}. ${texts.checkAddress}`,
    { ...facts, status: answer.status, requestId: requestIdOf(answer) },
  );
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}

/** Parses a string as JSON; returns `undefined` if it is not JSON, or is nested too deeply to be processed. */
export function parseJson(text: string): unknown {
  try {
    return nestsTooDeeply(text) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Describes a body of unknown origin without quoting it, because it may be an entire web page. */
function describeBody(answer: AxiosResponse<string>): string {
  const type = plainText(String(answer.headers["content-type"] ?? "no content type")).slice(0, 80);
  return `a body that is not the documented JSON (${type}, ${(answer.data as string | undefined)?.length ?? 0} characters)`;
}

function requestIdOf(answer: AxiosResponse): string | undefined {
  const id: unknown = answer.headers["x-request-id"] ?? answer.headers["x-correlation-id"];
  return typeof id === "string" ? id.slice(0, 200) : undefined;
}
