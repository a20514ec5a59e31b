import type { DialectTable } from "../../wire";

/**
 * True if a deployment of a source is created with a revision: for some sources it has none until the source is
 * uploaded.
 */
export function createsFirstRevision({ sourceRules }: DialectTable, source: string): boolean {
  return (sourceRules[source] ?? sourceRules["*"])?.firstRevision !== false;
}
