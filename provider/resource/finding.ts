/** Something about an input that a preview can report. */
export interface Finding {
  /** Path of the property, for example `sourceConfig.repoUrl`. */
  property: string;
  reason: string;
  /** A failure only where the control plane, or the provider, surely refuses. */
  severity: "failure" | "warning";
}

export function failure(property: string, reason: string): Finding {
  return { property, reason, severity: "failure" };
}

export function warning(property: string, reason: string): Finding {
  return { property, reason, severity: "warning" };
}
