/** Error for a rejected request. The response is `{"detail"}` with this status. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  constructor(
    readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 422 | 500 | 501 | 502 | 503 | 507,
    readonly detail: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(detail);
  }
}

export const refuse = {
  noThread: (threadId: string) => new Refusal(404, `Thread ${threadId} not found.`),
  noRun: (runId: string) => new Refusal(404, `Run ${runId} not found.`),
  nothingToCancel: () => new Refusal(404, "No run can be canceled: none is pending or active."),
  noCron: (cronId: string) => new Refusal(404, `Cron ${cronId} not found.`),
  noAssistant: (assistantId: string) => new Refusal(404, `Assistant ${assistantId} not found.`),
};

/** Statuses of documented error responses. */
type RefusalStatus = Refusal["status"];

const statuses: readonly number[] = [400, 401, 403, 404, 405, 409, 413, 422, 500, 501, 502, 503, 507];

/**
 * Converts an error response of the runtime to the documented error. The runtime returns plain text, and returns 400
 * for a body with invalid fields.
 */
export function refusalOf(status: number, text: string): Refusal {
  const { detail, isForm } = readRefusal(text);
  const documented = isForm ? 422 : statuses.includes(status) ? status : status < 500 ? 422 : 500;
  return new Refusal(documented as RefusalStatus, detail);
}

interface RuntimeIssue {
  path?: (string | number)[];
  message?: string;
}

function readRefusal(text: string): { detail: string; isForm?: boolean } {
  try {
    const body = JSON.parse(text) as {
      detail?: string;
      message?: string;
      error?: { issues?: RuntimeIssue[] };
    };
    const issues = body.error?.issues;
    if (issues) {
      const faults = issues.map(({ path, message }) => `${path?.join(".") || "body"}: ${message}`);
      return { detail: faults.join("; "), isForm: true };
    }
    if (typeof body.detail === "string") return { detail: body.detail };
    if (typeof body.message === "string") return { detail: body.message };
  } catch {
    // The response is plain text, like most error responses of the runtime.
  }
  return { detail: text || "The agent server reported no reason." };
}
