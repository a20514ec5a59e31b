/** Result of checking an input, which a preview can report. */
export interface Finding {
  /** Path of the property, for example `sourceConfig.repoUrl`. */
  property: string;
  reason: string;
  /** Severity of the finding; `failure` only if the control plane or the provider is certain to reject the input. */
  severity: "failure" | "warning" | "info";
}

/** Formats a finding on one line. An empty property refers to the whole resource. */
export function findingText({ property, reason }: Finding): string {
  return property === "" ? reason : `${property}: ${reason}`;
}

export function failure(property: string, reason: string): Finding {
  return { property, reason, severity: "failure" };
}

/** Returns an informational finding. */
export function info(property: string, reason: string): Finding {
  return { property, reason, severity: "info" };
}

export function warning(property: string, reason: string): Finding {
  return { property, reason, severity: "warning" };
}
