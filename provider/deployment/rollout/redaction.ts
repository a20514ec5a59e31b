import type { DeploymentRecord } from "../../../wire";
import type { ControlPlaneOperation } from "../../resource/operation";
import { redactor } from "../../text/redact";

/** Returns the secret values of a deployment that the server reports. */
export function secretsIn({ secrets }: DeploymentRecord): string[] {
  return (secrets ?? []).flatMap(({ value }) => value ?? []);
}

/**
 * Returns the operation with a reporter that also redacts these strings. A log or an agent's response may contain
 * secrets that this program does not manage.
 */
export function withRedaction(op: ControlPlaneOperation, secrets: readonly string[]): ControlPlaneOperation {
  const redact = redactor(secrets);
  return { ...op, report: { ...op.report, redact: (text) => redact(op.report.redact(text)) } };
}
