import { sizeText } from "../../wire/size";
import { AgentServerError, asError, type ErrorFacts } from "../errors";
import { plainText } from "../text/plain-text";
import { loadAxios } from "./lazy-axios";
import type { ServiceTexts } from "./service";

/** Service, address, proxy, and limits of a request. */
export interface Way {
  texts: ServiceTexts;
  /** Address without secrets. */
  baseUrl: string;
  proxy?: URL;
  /** Maximum time for a response, in milliseconds. */
  answerTimeoutMs: number;
  /** Maximum size of a response, in bytes. */
  answerLimit: number;
}

/** Codes of failures that occur before any byte of the request is sent. */
const notSent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
]);

const untrusted = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "CERT_UNTRUSTED",
]);

/**
 * Returns the error for a request without a complete response.
 * @param maxWaitMs exceeded time limit in milliseconds, if any
 */
export function noAnswer(
  error: unknown,
  facts: ErrorFacts,
  way: Way,
  maxWaitMs: number | undefined,
): AgentServerError {
  const timedOut = maxWaitMs !== undefined;
  const failure = loadAxios().isAxiosError(error) ? error : undefined;
  const code = failure?.code ?? "";
  const isUnsent = (!timedOut && notSent.has(code)) || hasNoConnection(failure?.request);
  const cause = plainText(asError(error).message).slice(0, 500);
  const unreadable = timedOut ? undefined : whyUnreadable(code, cause, way);
  if (unreadable)
    return new AgentServerError(
      "unexpected_response",
      `${facts.request} at ${way.baseUrl} returned ${unreadable}. ${way.texts.checkAddress}`,
      facts,
    );
  const through = way.proxy ? ` through the proxy ${way.proxy.host}` : "";
  const said = `${facts.request} at ${way.baseUrl} received no response${through}`;
  const refused = timedOut ? undefined : whyInsecure(code, cause, way);
  if (refused)
    return new AgentServerError("connection_failed", `${said}: ${refused}`, {
      ...facts,
      notProcessed: true,
      final: true,
    });
  const what = isUnsent ? "connection" : "response";
  const why = timedOut ? `no ${what} within ${inSeconds(maxWaitMs)} s` : cause.replace(/\.+$/, "");
  const look = way.proxy
    ? "the proxy settings (HTTPS_PROXY, HTTP_PROXY, NO_PROXY)"
    : "the network and the proxy settings";
  return new AgentServerError(
    "connection_failed",
    `${said}: ${why}. Check the address (${way.texts.addressSetting}), ${look}.`,
    {
      ...facts,
      notProcessed: isUnsent || undefined,
      timedOut: timedOut || code === "ETIMEDOUT" || undefined,
    },
  );
}

/** True if the request was still waiting for a connection or for TLS, so that no byte of it was sent. */
function hasNoConnection(request: unknown): boolean {
  const { socket } = (request ?? {}) as {
    socket?: { connecting?: boolean; secureConnecting?: boolean } | null;
  };
  return socket === null || socket?.connecting === true || socket?.secureConnecting === true;
}

/**
 * Returns the error for an unencrypted response to a request through a proxy's tunnel. Such a response means that the
 * proxy did not open a tunnel.
 */
export function refusedTunnel(status: number, facts: ErrorFacts, way: Way): AgentServerError {
  const advice =
    status === 407
      ? "It requires a user name and password: include them in HTTPS_PROXY (http://user:password@host:port)."
      : "Ask its operator to allow this address, or list the host in NO_PROXY to reach it directly.";
  return new AgentServerError(
    "connection_failed",
    `${facts.request} at ${way.baseUrl} received no response: the proxy ${way.proxy?.host} returned ${status} instead of opening a tunnel. ${advice}`,
    { ...facts, notProcessed: true, final: status < 500 || undefined },
  );
}

function whyUnreadable(code: string, cause: string, { answerLimit }: Way): string | undefined {
  if (/maxContentLength/.test(cause)) return `more than ${sizeText(answerLimit)}`;
  if (code === "HPE_HEADER_OVERFLOW") return "too many headers, or headers that are too long";
  if (code.startsWith("HPE_")) return `a response that is not HTTP (${code})`;
  if (/^(Z_|ERR_BROTLI|ERR__ERROR|ZSTD_|ERR_ZSTD)/.test(code)) return "a body that cannot be decompressed";
  return undefined;
}

/**
 * Describes the problem with the server's certificate, or with missing encryption, and how to fix it. Retrying the
 * request does not help.
 */
function whyInsecure(code: string, cause: string, { proxy, texts }: Way): string | undefined {
  if (untrusted.has(code)) return `its certificate is not trusted (${cause}). ${texts.checkTrust}`;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return `its certificate is for another host (${cause}). Set ${texts.addressSetting} to a host in the certificate, or use a certificate for this host.`;
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID")
    return `its certificate has expired or is not valid yet (${cause}). Renew the certificate on the server, and check the clock of this machine.`;
  if (/^(CERT_|ERR_TLS_|INVALID_CA|INVALID_PURPOSE|UNABLE_TO_|PATH_LENGTH|HOSTNAME_MISMATCH)/.test(code))
    return `its certificate was rejected (${cause}). Replace the certificate on the server.`;
  if (code === "EPROTO" || code.startsWith("ERR_SSL_")) {
    const addresses = proxy?.protocol === "https:" ? "the proxy's address (HTTPS_PROXY, HTTP_PROXY) or " : "";
    return `no TLS connection could be established (${/routines:[^:]*:([^:]+):/.exec(cause)?.[1] ?? cause}). Check whether ${addresses}${texts.addressSetting} must start with http:// or use a different port.`;
  }
  return undefined;
}

function inSeconds(ms: number): number {
  return ms < 1_000 ? ms / 1_000 : Math.ceil(ms / 1_000);
}
