import { sizeText } from "../../wire/size";
import { createReadStream } from "node:fs";
import { Transform } from "node:stream";
import { signalAt, timeoutError, type Deadline } from "../deadline";
import { AgentServerError, asError } from "../errors";
import { credentialsIn } from "../text/address-credentials";
import { plainText } from "../text/plain-text";
import { redactor } from "../text/redact";
import { loadAxios } from "./lazy-axios";
import type { Network } from "./network";
import { isTransientStatus } from "./retry";

/** Maximum time without any progress, in milliseconds. */
const stallMs = 60_000;

/** A file, and the upload URL that the control plane returned. */
export interface Upload {
  /** Absolute URL. Everything except for the host grants access and is never displayed. */
  url: string;
  headers: Record<string, string>;
  file: string;
  bytes: number;
  /** Called with the number of bytes that have been sent. */
  onProgress: (sent: number) => void;
  /** Time limit of the upload. */
  deadline: Deadline;
  /** Consequence to report if the upload does not finish in time, for example `deployment d-1 was not changed`. */
  undone: string;
  signal?: AbortSignal;
}

/** Minimum length of a secret token. Shorter path segments and header values are ordinary words. */
const shortestToken = 16;

/** Returns the start of text from the storage service or the network, without values that grant access. */
function excerpt(text: string, place: URL, headers: Record<string, string>): string {
  const tokens = [...place.pathname.split("/"), ...Object.values(headers)];
  const hide = redactor([
    ...[place.href, place.pathname, place.search, ...credentialsIn(place.href)],
    ...tokens.filter(({ length }) => length >= shortestToken),
  ]);
  return plainText(hide(text)).slice(0, 300).trim().replace(/\.+$/, "");
}

function detailIn(text: string): string | undefined {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown };
    return typeof detail === "string" ? detail : undefined;
  } catch {
    return undefined;
  }
}

/**
 * `PUT`s a file without credentials, because the URL itself grants access. Redirects are not followed.
 * @param controlPlane address of the control plane; if it uses https, the upload must use https as well
 * @param now returns the current time, in milliseconds since 1970
 * @throws AgentServerError `timeout` at the deadline; an error with `notProcessed` and without `final` allows another
 * attempt
 */
export async function upload(
  network: Network,
  controlPlane: string,
  { url, headers, file, bytes, onProgress, deadline, undone, signal }: Upload,
  now: () => number,
): Promise<void> {
  const place = URL.parse(url);
  if (!place || !/^https?:$/.test(place.protocol))
    throw new AgentServerError(
      "unexpected_response",
      "The control plane returned an invalid upload address.",
    );
  if (controlPlane.startsWith("https:") && place.protocol !== "https:")
    throw new AgentServerError(
      "unexpected_response",
      `The control plane returned an upload address on ${place.host} that is not https, so nothing was sent.`,
    );
  if (now() > deadline.at) throw timeoutError(deadline, undone);
  const { axios: way } = network.routeTo(url, "upload storage");
  const timeout = signalAt(deadline.at, now());
  let sent = 0;
  const counted = new Transform({
    transform(piece: Buffer, _encoding, done) {
      sent += piece.length;
      onProgress(sent);
      done(undefined, piece);
    },
  });
  const body = createReadStream(file);
  body.once("error", (error) => counted.destroy(error));
  try {
    const { status, data } = await loadAxios().put<unknown>(url, body.pipe(counted), {
      headers: { "Content-Type": "application/gzip", ...headers, "Content-Length": String(bytes) },
      maxBodyLength: Number.POSITIVE_INFINITY,
      // Timeout of the connection, which counts from the last byte sent or received.
      timeout: stallMs,
      maxRedirects: 0,
      responseType: "text",
      transformResponse: (text: unknown) => text,
      validateStatus: () => true,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...way,
    });
    if (status >= 200 && status < 300) return;
    const said = typeof data === "string" ? excerpt(detailIn(data) ?? data, place, headers) : "";
    throw new AgentServerError(
      isTransientStatus(status) ? "server_failed" : "request_refused",
      `The upload of ${sizeText(bytes)} to ${place.host} returned ${status}${said && `: ${said}`}.`,
      { status, notProcessed: true },
    );
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (AgentServerError.is(error)) throw error;
    if (timeout.aborted)
      throw timeoutError(
        deadline,
        `the upload was stopped after ${sizeText(sent)} of ${sizeText(bytes)}, and ${undone}`,
      );
    throw new AgentServerError(
      "connection_failed",
      `The upload of ${sizeText(bytes)} to ${place.host} was interrupted: ${excerpt(asError(error).message, place, headers)}. Check the network and the proxy settings.`,
      { notProcessed: true },
    );
  } finally {
    body.destroy();
  }
}
