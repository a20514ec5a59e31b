/**
 * SQL for the status that clients see. READY would be wrong if no revision serves and the newest one ended without
 * serving; no other documented status applies.
 */
export const reportedStatus = `CASE WHEN status = 'READY' AND active_revision_id IS NULL AND EXISTS (
  SELECT 1 FROM revisions WHERE revisions.id = latest_revision_id
  AND (revisions.status LIKE '%FAILED%' OR revisions.status = 'INTERRUPTED')
) THEN 'UNKNOWN' ELSE status END`;

/** Filter of a list of deployments. */
export interface DeploymentFilter {
  name?: string;
  nameContains?: string;
  status?: string;
  deploymentType?: string;
  /** Only deployments for this agent that are not being deleted. */
  agentId?: string;
  /** Only deployments for this environment that are not being deleted. */
  agentEnvironment?: string;
  ids?: readonly string[];
  /** True for deployments that serve, false for those that do not. */
  serving?: boolean;
  /** True if another filter applies that no local deployment matches. */
  nothing?: boolean;
}

/** Returns conditions on the table of deployments, to append to another condition. */
export function narrowed(filter: DeploymentFilter): { sql: string; values: string[] } {
  const parts: { sql: string; values: string[] }[] = [];
  const add = (sql: string, ...values: string[]): void => void parts.push({ sql: ` AND ${sql}`, values });
  if (filter.name !== undefined) add("name = ?", filter.name);
  if (filter.nameContains !== undefined) add("instr(name, ?) > 0", filter.nameContains);
  if (filter.status !== undefined) add(`${reportedStatus} = ?`, filter.status);
  if (filter.deploymentType !== undefined)
    add("json_extract(source_config, '$.deployment_type') = ?", filter.deploymentType);
  if (filter.agentId !== undefined)
    add("json_extract(traits, '$.agent.agent_id') = ? AND gone_at IS NULL", filter.agentId);
  if (filter.agentEnvironment !== undefined)
    add("json_extract(traits, '$.agent.environment') = ? AND gone_at IS NULL", filter.agentEnvironment);
  if (filter.ids) add("id IN (SELECT value FROM json_each(?))", JSON.stringify(filter.ids));
  if (filter.serving !== undefined) add(`active_revision_id IS ${filter.serving ? "NOT NULL" : "NULL"}`);
  if (filter.nothing) add("FALSE");
  return { sql: parts.map(({ sql }) => sql).join(""), values: parts.flatMap(({ values }) => values) };
}
