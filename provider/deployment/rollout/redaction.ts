import type { DeploymentRecord } from "../../../wire";
import type { ControlPlaneOperation } from "../../resource/operation";
import { redactor } from "../../text/redact";

/** Returns the values of a deployment's secrets that the server reports. */
export function secretsIn({ secrets }: DeploymentRecord): string[] {
  return (secrets ?? []).flatMap(({ value }) => value ?? []);
}

/**
 * Returns the operation with reports that also redact these strings. A log or a response of an agent may contain secrets
 * that this program does not manage.
 */
export function withRedaction(op: ControlPlaneOperation, secrets: readonly string[]): ControlPlaneOperation {
  const redact = redactor(secrets);
  return { ...op, report: { ...op.report, redact: (text) => redact(op.report.redact(text)) } };
}
