import { createReadStream } from "node:fs";
import { Transform } from "node:stream";
import { AgentServerError, asError } from "../errors";
import { plainText } from "../text/plain-text";
import { lateAxios } from "./lazy-axios";
import type { Network } from "./network";
import { isTransientStatus } from "./retry";

/** Longest time in which nothing moves, in milliseconds. */
const stallMs = 60_000;

/** A file that is sent to a place which somebody has given for it. */
export interface Upload {
  /** Absolute; what is in it beside the host opens the place, and is shown nowhere. */
  url: string;
  headers: Record<string, string>;
  file: string;
  bytes: number;
  /** Told how many bytes have been sent. */
  onProgress: (sent: number) => void;
  signal?: AbortSignal;
}

/** The beginning of what an answer says, without what opens the place. */
function saidIn(data: unknown, place: URL): string {
  const text = typeof data === "string" ? (detailIn(data) ?? data) : "";
  const shown = plainText(text.replaceAll(place.search || "?", ""))
    .slice(0, 300)
    .trim();
  return shown === "" ? "" : `: ${shown.replace(/\.+$/, "")}`;
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
 * `PUT`s a file, without any credentials: the address has its own. No redirect is followed.
 * @throws AgentServerError whose fact `notProcessed` says that it may be sent again
 */
export async function upload(
  network: Network,
  { url, headers, file, bytes, onProgress, signal }: Upload,
): Promise<void> {
  const place = URL.parse(url);
  if (!place || !/^https?:$/.test(place.protocol))
    throw new AgentServerError("unexpected_answer", "The control plane gave an upload address that is none.");
  const { axios: way } = network.routeTo(url, "upload storage");
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
    const { status, data } = await lateAxios().put<unknown>(url, body.pipe(counted), {
      headers: { "Content-Type": "application/gzip", ...headers, "Content-Length": String(bytes) },
      maxBodyLength: Number.POSITIVE_INFINITY,
      // Of the connection: it counts from the last byte that came or went.
      timeout: stallMs,
      maxRedirects: 0,
      responseType: "text",
      transformResponse: (text: unknown) => text,
      validateStatus: () => true,
      ...(signal && { signal }),
      ...way,
    });
    if (status >= 200 && status < 300) return;
    throw new AgentServerError(
      isTransientStatus(status) ? "server_failed" : "request_refused",
      `The upload of ${bytes} bytes to ${place.host} was answered ${status}${saidIn(data, place)}.`,
      { status, notProcessed: true },
    );
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (AgentServerError.is(error)) throw error;
    const cause = plainText(asError(error).message)
      .slice(0, 300)
      .replaceAll(place.search || "?", "");
    throw new AgentServerError(
      "connection_failed",
      `The upload of ${bytes} bytes to ${place.host} broke off: ${cause.replace(/\.+$/, "")}. Check the network and the proxy settings.`,
      { notProcessed: true },
    );
  } finally {
    body.destroy();
  }
}
