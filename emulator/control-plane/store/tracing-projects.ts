import type { Database } from "../../storage/database";

/** Tracing projects that remain after deployments were deleted; each reserves a name. */
export class TracingProjects {
  constructor(private readonly database: Database) {}

  holds(tenantId: string, name: string): boolean {
    const sql = "SELECT name FROM tracing_projects WHERE tenant_id = ? AND name = ?";
    return this.database.get(sql, tenantId, name) !== undefined;
  }

  keep(tenantId: string, name: string): void {
    this.database.run(
      "INSERT OR IGNORE INTO tracing_projects (tenant_id, name) VALUES (?, ?)",
      tenantId,
      name,
    );
  }

  remove(tenantId: string, name: string): void {
    this.database.run("DELETE FROM tracing_projects WHERE tenant_id = ? AND name = ?", tenantId, name);
  }
}
