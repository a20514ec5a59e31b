import type { ListenerComputeConfig } from "../../../wire";
import type { Clock } from "../../clock";
import type { Database } from "../../storage/database";

/** A listener as stored. */
export interface StoredListener {
  id: string;
  tenantId: string;
  version: string | null;
  computeType: "k8s";
  computeId: string;
  computeConfig: ListenerComputeConfig;
  createdAt: number;
  updatedAt: number;
}

/** SQL statements that create the table of listeners. */
export const listenerTables = `
CREATE TABLE listeners (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  tenant_id TEXT NOT NULL,
  version TEXT,
  compute_type TEXT NOT NULL,
  compute_id TEXT NOT NULL,
  compute_config TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (tenant_id, compute_id)
) STRICT;
`;

interface Row {
  id: string;
  tenant_id: string;
  version: string | null;
  compute_type: string;
  compute_id: string;
  compute_config: string;
  created_at: number;
  updated_at: number;
}

/** Access to the table of listeners. */
export class Listeners {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  find(id: string): StoredListener | undefined {
    return stored(this.database.get<Row>("SELECT * FROM listeners WHERE id = ?", id));
  }

  findByCompute(tenantId: string, computeId: string): StoredListener | undefined {
    const sql = "SELECT * FROM listeners WHERE tenant_id = ? AND compute_id = ?";
    return stored(this.database.get<Row>(sql, tenantId, computeId));
  }

  /** Returns one page of a tenant's listeners, oldest first. Returns all of them if there is no limit. */
  page(tenantId: string, limit = -1, offset = 0): StoredListener[] {
    const sql = "SELECT * FROM listeners WHERE tenant_id = ? ORDER BY sequence LIMIT ? OFFSET ?";
    return this.database.all<Row>(sql, tenantId, limit, offset).map((row) => stored(row)!);
  }

  insert(made: Omit<StoredListener, "createdAt" | "updatedAt">): void {
    const now = this.clock.now();
    this.database.run(
      `INSERT INTO listeners (id, tenant_id, version, compute_type, compute_id, compute_config, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      made.id,
      made.tenantId,
      made.version,
      made.computeType,
      made.computeId,
      JSON.stringify(made.computeConfig),
      now,
      now,
    );
  }

  /** Writes the mutable fields and the update time. */
  update(listener: StoredListener): void {
    this.database.run(
      "UPDATE listeners SET version = ?, compute_config = ?, updated_at = ? WHERE id = ?",
      listener.version,
      JSON.stringify(listener.computeConfig),
      Math.max(this.clock.now(), listener.updatedAt + 1),
      listener.id,
    );
  }

  remove(id: string): void {
    this.database.run("DELETE FROM listeners WHERE id = ?", id);
  }
}

function stored(row: Row | undefined): StoredListener | undefined {
  if (!row) return undefined;
  return {
    id: row.id,
    tenantId: row.tenant_id,
    version: row.version,
    computeType: row.compute_type as "k8s",
    computeId: row.compute_id,
    computeConfig: JSON.parse(row.compute_config) as StoredListener["computeConfig"],
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
