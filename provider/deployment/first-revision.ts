import type { DialectTable } from "../../wire";

/** Whether a deployment of a source is made with a revision: of some it has none until its source is there. */
export function makesFirstRevision({ sourceRules }: DialectTable, source: string): boolean {
  return (sourceRules[source] ?? sourceRules["*"])?.firstRevision !== false;
}
