/** One request as it goes over the wire, with words for IDs that are filled in when it is sent. */
export interface FuzzRequest {
  /** The operation that it was made for. */
  operation: string;
  method: string;
  /** Path and query, encoded. */
  target: string;
  headers: Record<string, string | string[]>;
  body?: string | Uint8Array;
}

/** The request so that one can send it again; keys are not part of it. */
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
