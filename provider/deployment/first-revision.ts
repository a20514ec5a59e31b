import type { DialectTable } from "../../wire";

/**
 * True if creating a deployment from this source also creates a revision. For some sources, a deployment has no
 * revision until the source is uploaded.
 */
export function createsFirstRevision({ sourceRules }: DialectTable, source: string): boolean {
  return (sourceRules[source] ?? sourceRules["*"])?.firstRevision !== false;
}
