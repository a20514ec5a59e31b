import { isAxiosError, type AxiosResponse } from "axios";
import { z } from "zod";
import { AgentServerError, asError, type ErrorFacts } from "../errors";
import { isTransientStatus } from "./retry";
import { failure, validationFailure } from "./wire";

/** Failures that happen before a byte of the request is sent. */
const notSent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
]);

/** The error for a request that got no answer. */
export function connectionFailure(
  error: unknown,
  facts: ErrorFacts,
  baseUrl: string,
  timedOut: boolean,
): AgentServerError {
  const code = isAxiosError(error) ? error.code : undefined;
  const cause = timedOut ? "no answer within 30 s" : asError(error).message;
  const notTaken = !timedOut && (notSent.has(code ?? "") || /certificate|self.signed/i.test(String(cause)));
  return new AgentServerError(
    "connection_failed",
    `${facts.request} at ${baseUrl} got no answer: ${cause}. Check the address (agentserver:baseUrl), the network and the proxy settings.`,
    { ...facts, notTaken: notTaken || undefined },
  );
}

/** The error for an answer with a status that does not mean success. */
export function refusal(answer: AxiosResponse<string>, facts: ErrorFacts): AgentServerError {
  const { status } = answer;
  const detail = detailOf(answer);
  const all: ErrorFacts = { ...facts, status, detail, requestId: requestIdOf(answer) };
  const said = `${facts.request} was answered ${status}: ${detail.replace(/\.+$/, "")}`;
  if (status === 401 || status === 403)
    return new AgentServerError(
      "refused_credentials",
      `${said}. Check agentserver:apiKey (AGENTSERVER_API_KEY) and agentserver:tenantId (AGENTSERVER_TENANT_ID): the key must belong to the organization of that workspace and may need more permissions.`,
      all,
    );
  if (status >= 300 && status < 400)
    return new AgentServerError(
      "bad_configuration",
      `${said}. The control plane redirects; set agentserver:baseUrl to the address that it redirects to.`,
      all,
    );
  if (isTransientStatus(status)) {
    // A rate limiter turns the request away before anything is done with it.
    return new AgentServerError("server_failed", said, { ...all, notTaken: status === 429 || undefined });
  }
  return new AgentServerError("request_refused", said, all);
}

/** The error for a successful status with a body that cannot be understood. */
export function unexpectedAnswer(
  answer: AxiosResponse<string>,
  facts: ErrorFacts,
  issue: z.ZodError,
): AgentServerError {
  const first = issue.issues[0];
  const where = first?.path.length ? `field ${first.path.join(".")}: ${first.message}` : describeBody(answer);
  return new AgentServerError(
    "unexpected_answer",
    `${facts.request} was answered ${answer.status}, but not as a control plane would: ${where}. Check that agentserver:baseUrl is a control plane.`,
    { ...facts, status: answer.status, requestId: requestIdOf(answer) },
  );
}

function detailOf(answer: AxiosResponse<string>): string {
  const body = z.union([failure, validationFailure]).safeParse(parseJson(answer.data));
  if (!body.success) return describeBody(answer);
  const { detail } = body.data;
  if (typeof detail === "string") return bounded(detail);
  return bounded(detail.map((item) => `${item.loc.join(".")}: ${item.msg}`).join("; "));
}

/** The text as JSON; nothing where it is not. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A foreign body is described, not repeated: it may be a whole page. */
function describeBody(answer: AxiosResponse<string>): string {
  const type = String(answer.headers["content-type"] ?? "no content type");
  return `a body that is not the documented JSON (${type}, ${String(answer.data ?? "").length} characters)`;
}

function bounded(text: string): string {
  return text.length > 1_000 ? `${text.slice(0, 1_000)}…` : text;
}

function requestIdOf(answer: AxiosResponse): string | undefined {
  const id: unknown = answer.headers["x-request-id"] ?? answer.headers["x-correlation-id"];
  return typeof id === "string" ? id : undefined;
}
