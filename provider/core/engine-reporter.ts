import type { BestEffortLog } from "../engine/log";
import { shortened } from "../engine/shorten";
import type { Clock } from "../clock";
import type { AgentServerError } from "../errors";
import type { Call } from "../resource/call";
import { formatDuration } from "../text/duration";
import type { OperationReport } from "../resource/operation";
import { StatusLine } from "../resource/status-line";

/** Maximum length of a line in the engine's status column, and of a log line, in bytes. */
const [statusRoom, lineRoom] = [400, 16_000];

/** Reports the progress of an operation on a resource to the engine. */
export class EngineReporter {
  readonly status: StatusLine;

  /** @param receivesCancel true if the first Ctrl-C cancels the operation */
  constructor(
    private readonly engine: BestEffortLog,
    private readonly call: Pick<Call, "urn">,
    private readonly redact: (text: string) => string,
    clock: Clock,
    receivesCancel: boolean,
  ) {
    this.status = new StatusLine(
      (line) => void engine.status(call.urn, shortened([redact(line)], statusRoom)[0]!),
      clock,
      receivesCancel ? "Ctrl-C" : "Ctrl-C twice",
    );
  }

  readonly log: OperationReport["log"] = (severity, message) =>
    void this.engine.write(this.call.urn, severity, shortened([this.redact(message)], lineRoom)[0]!);

  /** Displays that a request will be retried. */
  readonly onRetry = (error: AgentServerError, pauseMs: number): void =>
    this.status.show(retryText(error, pauseMs), error.message);
}

/**
 * Describes the time of the next attempt. Mentions the pause that the server requested if it is longer than the actual
 * one.
 */
function retryText({ facts }: AgentServerError, pauseMs: number): string {
  const asked = facts.retryAfterMs ?? 0;
  const cut = asked > pauseMs ? ` (the server requested ${formatDuration(asked)})` : "";
  return `retrying in ${Math.ceil(pauseMs / 1_000)}s${cut}`;
}
