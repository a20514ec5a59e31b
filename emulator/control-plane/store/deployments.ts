import type { DeploymentStatus, WireAgent, WireSecret, WireSourceConfig } from "../../../wire";
import type { Clock } from "../../clock";
import type { Database } from "../../storage/database";
import type { DeploymentTraits } from "./deployment-traits";

/** A deployment as stored. */
export interface StoredDeployment {
  id: string;
  tenantId: string;
  name: string;
  source: string;
  sourceConfig: WireSourceConfig;
  secrets: WireSecret[];
  traits: DeploymentTraits;
  status: DeploymentStatus;
  /** Status of the deployment as clients see it. */
  readonly reportedStatus: DeploymentStatus;
  latestRevisionId: string | null;
  activeRevisionId: string | null;
  createdAt: number;
  updatedAt: number;
  /** Time at which the deployment's database will be ready; null if it is ready. */
  databaseAt: number | null;
  /** Time at which only the record of the deployment will remain; null unless it is being deleted. */
  finalAt: number | null;
  /** Time at which the record of the deployment will be removed; null unless it is being deleted. */
  goneAt: number | null;
}

interface Row {
  id: string;
  tenant_id: string;
  name: string;
  source: string;
  source_config: string;
  secrets: string;
  traits: string;
  status: string;
  reported_status: string;
  latest_revision_id: string | null;
  active_revision_id: string | null;
  created_at: number;
  updated_at: number;
  database_at: number | null;
  final_at: number | null;
  gone_at: number | null;
}

/**
 * SQL expression for the status that clients see. If no revision is serving and the newest one has ended without
 * serving, READY would be wrong, but no other documented status applies.
 */
const reportedStatus = `CASE WHEN status = 'READY' AND active_revision_id IS NULL AND EXISTS (
  SELECT 1 FROM revisions WHERE revisions.id = latest_revision_id
  AND (revisions.status LIKE '%FAILED%' OR revisions.status = 'INTERRUPTED')
) THEN 'UNKNOWN' ELSE status END`;

const select = `SELECT *, ${reportedStatus} AS reported_status FROM deployments`;

/** Access to the table of deployments. */
export class Deployments {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  find(id: string): StoredDeployment | undefined {
    return stored(this.database.get<Row>(`${select} WHERE id = ?`, id));
  }

  findByName(tenantId: string, name: string): StoredDeployment | undefined {
    return stored(this.database.get<Row>(`${select} WHERE tenant_id = ? AND name = ?`, tenantId, name));
  }

  /** Returns the deployment of an agent in an environment. Ignores a deployment that is being deleted. */
  findByAgent(
    tenantId: string,
    { agent_id: agentId, environment: agentEnvironment }: WireAgent,
  ): StoredDeployment | undefined {
    return this.page(tenantId, { agentId, agentEnvironment }, 1, 0)[0];
  }

  all(): StoredDeployment[] {
    return this.database.all<Row>(`${select} ORDER BY sequence`).map((row) => stored(row)!);
  }

  /** Returns one page of a tenant's deployments, oldest first, so that new deployments do not shift the pages. */
  page(tenantId: string, filter: DeploymentFilter, limit: number, offset: number): StoredDeployment[] {
    const { sql, values } = narrowed(filter);
    return this.database
      .all<Row>(
        `${select} WHERE tenant_id = ?${sql} ORDER BY sequence LIMIT ? OFFSET ?`,
        tenantId,
        ...values,
        limit,
        offset,
      )
      .map((row) => stored(row)!);
  }

  insert(
    made: Pick<
      StoredDeployment,
      "id" | "tenantId" | "name" | "source" | "sourceConfig" | "secrets" | "traits" | "databaseAt"
    >,
  ): void {
    const now = this.clock.now();
    this.database.run(
      `INSERT INTO deployments (id, tenant_id, name, source, source_config, secrets, traits, status, database_at,
       created_at, updated_at, last_time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      made.id,
      made.tenantId,
      made.name,
      made.source,
      JSON.stringify(made.sourceConfig),
      JSON.stringify(made.secrets),
      JSON.stringify(made.traits),
      made.databaseAt === null ? "READY" : "AWAITING_DATABASE",
      made.databaseAt,
      now,
      now,
      now,
    );
  }

  /** Writes the mutable fields and the update time. */
  update(deployment: StoredDeployment): void {
    this.database.run(
      `UPDATE deployments SET source_config = ?, secrets = ?, traits = ?, status = ?, latest_revision_id = ?,
       active_revision_id = ?, database_at = ?, final_at = ?, gone_at = ?, updated_at = ? WHERE id = ?`,
      JSON.stringify(deployment.sourceConfig),
      JSON.stringify(deployment.secrets),
      JSON.stringify(deployment.traits),
      deployment.status,
      deployment.latestRevisionId,
      deployment.activeRevisionId,
      deployment.databaseAt,
      deployment.finalAt,
      deployment.goneAt,
      this.tick(deployment.id),
      deployment.id,
    );
  }

  /**
   * Returns the current time, or a later time if the current time has already been used for this deployment, so that
   * the order of its records is unambiguous.
   */
  tick(id: string): number {
    const row = this.database.get<{ last_time: number }>(
      "SELECT last_time FROM deployments WHERE id = ?",
      id,
    );
    const moment = Math.max(this.clock.now(), (row?.last_time ?? 0) + 1);
    this.database.run("UPDATE deployments SET last_time = ? WHERE id = ?", moment, id);
    return moment;
  }

  remove(id: string): void {
    this.database.run("DELETE FROM deployments WHERE id = ?", id);
  }
}

function stored(row: Row | undefined): StoredDeployment | undefined {
  if (!row) return undefined;
  return {
    id: row.id,
    tenantId: row.tenant_id,
    name: row.name,
    source: row.source,
    sourceConfig: JSON.parse(row.source_config) as StoredDeployment["sourceConfig"],
    secrets: JSON.parse(row.secrets) as StoredDeployment["secrets"],
    traits: JSON.parse(row.traits) as StoredDeployment["traits"],
    status: row.status as DeploymentStatus,
    reportedStatus: row.reported_status as DeploymentStatus,
    latestRevisionId: row.latest_revision_id,
    activeRevisionId: row.active_revision_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    databaseAt: row.database_at,
    finalAt: row.final_at,
    goneAt: row.gone_at,
  };
}

/** Filter for a list of deployments. */
interface DeploymentFilter {
  name?: string;
  nameContains?: string;
  status?: string;
  deploymentType?: string;
  /** Includes only deployments of this agent that are not being deleted. */
  agentId?: string;
  /** Includes only deployments in this environment that are not being deleted. */
  agentEnvironment?: string;
  ids?: readonly string[];
  /** True to include only deployments that are serving requests; false to include only those that are not. */
  serving?: boolean;
  /** True if another filter is set that no local deployment matches. */
  nothing?: boolean;
}

/** Returns SQL conditions on the deployments table, to be appended to another condition. */
function narrowed(filter: DeploymentFilter): { sql: string; values: string[] } {
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
