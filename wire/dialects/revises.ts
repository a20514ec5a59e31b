import type { PatchDeploymentBody } from "../deployment";
import { isGiven } from "../json";
import type { DialectTable } from "./table";

/** True if a server of this dialect creates a revision for a PATCH request with this body. */
export function makesRevision(table: DialectTable, body: PatchDeploymentBody): boolean {
  const { revises } = table;
  return (
    revisesBySource(table, body) ||
    revises.sourceConfig.some((field) => isGiven(body.source_config?.[field])) ||
    (revises.secrets && changesSecrets(table, body.secrets)) ||
    revises.others.some((field) => isGiven(body[field]))
  );
}

/** True if the list of secrets in a PATCH request replaces the current secrets. */
export function changesSecrets(
  table: DialectTable,
  secrets: PatchDeploymentBody["secrets"],
): secrets is NonNullable<typeof secrets> {
  return isGiven(secrets) && (table.emptySecrets === "clear" || secrets!.length > 0);
}

function revisesBySource(table: DialectTable, body: PatchDeploymentBody): boolean {
  const group = body.source_revision_config;
  if (!isGiven(group)) return false;
  if (table.revises.sourceRevisionConfig === "there") return true;
  return table.fields.sourceRevisionConfig.some((field) => isGiven(group![field]));
}
