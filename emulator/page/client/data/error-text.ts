/**
 * Returns the message that users see for an error. For an SDK error, this is the `detail` of the response, because the
 * SDK's own message contains the whole response.
 */
export function errorText(error: unknown): string {
  const { message } = error as Error;
  const [, status, body] = /^HTTP (\d+): (\{.*\})$/s.exec(message) ?? [];
  if (status === undefined || body === undefined) return message;
  try {
    const { detail } = JSON.parse(body) as { detail?: unknown };
    return typeof detail === "string" ? `${detail} (HTTP ${status})` : message;
  } catch {
    return message;
  }
}
