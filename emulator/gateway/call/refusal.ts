/** Why a request is not carried out; becomes an answer `{"detail"}` with this status. */
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
  noCron: (cronId: string) => new Refusal(404, `Cron ${cronId} not found.`),
  noAssistant: (assistantId: string) => new Refusal(404, `Assistant ${assistantId} not found.`),
};

/** Statuses that documented refusals have. */
type RefusalStatus = Refusal["status"];

const statuses: readonly number[] = [400, 401, 403, 404, 405, 409, 413, 422, 500, 501, 502, 503, 507];

/** The refusal that an error answer of the runtime stands for: it uses plain text, and 400 for a wrong body. */
export function refusalOf(status: number, text: string): Refusal {
  const documented = status === 400 ? 422 : statuses.includes(status) ? status : status < 500 ? 422 : 500;
  return new Refusal(documented as RefusalStatus, detailOf(text));
}

interface RuntimeIssue {
  path?: (string | number)[];
  message?: string;
}

function detailOf(text: string): string {
  try {
    const body = JSON.parse(text) as {
      detail?: string;
      message?: string;
      error?: { issues?: RuntimeIssue[] };
    };
    const issues = body.error?.issues;
    if (issues)
      return issues.map(({ path, message }) => `${path?.join(".") || "body"}: ${message}`).join("; ");
    if (typeof body.detail === "string") return body.detail;
    if (typeof body.message === "string") return body.message;
  } catch {
    // Plain text, as most of its refusals are.
  }
  return text || "The agent server gave no reason.";
}
