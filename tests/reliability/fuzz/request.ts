/** A request before it is sent, with placeholders for IDs. */
export interface FuzzRequest {
  /** The operation that the request was created for. */
  operation: string;
  method: string;
  /** Encoded path and query. */
  target: string;
  headers: Record<string, string | string[]>;
  body?: string | Uint8Array;
}

/** Formats the request so that it can be sent again, without keys. */
export function shown({ method, target, headers, body }: FuzzRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const text =
    typeof body === "string"
      ? [short(body)]
      : body
        ? [`(bytes in base64) ${short(Buffer.from(body).toString("base64"))}`]
        : [];
  return [`${method} ${target}`, ...lines, "", ...text].join("\n");
}

const short = (text: string): string =>
  text.length > 4_000 ? `${text.slice(0, 4_000)}… (${text.length} characters)` : text;
