import type { Database } from "../../storage/database";

/** Commit of a deployment's branch at the last check. */
export interface TrackedBranch {
  deploymentId: string;
  repoUrl: string;
  branch: string;
  /** Commit at the last check. If null, the branch's next commit is not treated as a push. */
  commit: string | null;
}

/** SQL statements that create the table of the branches that deployments follow. */
export const trackedBranchTables = `
CREATE TABLE tracked_branches (
  deployment_id TEXT PRIMARY KEY REFERENCES deployments (id) ON DELETE CASCADE,
  repo_url TEXT NOT NULL,
  branch TEXT NOT NULL,
  commit_id TEXT
) STRICT;
`;

/** Access to the table of the branches that deployments follow. */
export class TrackedBranches {
  constructor(private readonly database: Database) {}

  find(deploymentId: string): TrackedBranch | undefined {
    return this.database.get<TrackedBranch>(
      `SELECT deployment_id AS deploymentId, repo_url AS repoUrl, branch, commit_id AS "commit"
       FROM tracked_branches WHERE deployment_id = ?`,
      deploymentId,
    );
  }

  keep({ deploymentId, repoUrl, branch, commit }: TrackedBranch): void {
    this.database.run(
      "INSERT OR REPLACE INTO tracked_branches (deployment_id, repo_url, branch, commit_id) VALUES (?, ?, ?, ?)",
      deploymentId,
      repoUrl,
      branch,
      commit,
    );
  }
}
