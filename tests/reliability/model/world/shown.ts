import type { DeploymentRecord, RevisionRecord } from "../../../../wire";

/**
 * Responses that the control plane returned during a change, each as of the first request. Repeated requests occur
 * later, but the provider based its decision on the first response.
 */
export class Shown {
  /** Records of individual deployments. */
  readonly deployments = new Map<string, DeploymentRecord>();
  /** Records of deployments that were found by name. */
  readonly found = new Map<string, DeploymentRecord>();
  /** Revisions, keyed by ID; "pruned" if the record of a revision no longer exists. */
  readonly revisions = new Map<string, RevisionRecord | "pruned">();
  /** IDs of the revisions that lists returned, keyed by deployment, across all pages. */
  readonly lists = new Map<string, Set<string>>();
  /** Requests that may have changed something, such as `PATCH /v2/deployments/…`. */
  readonly writes: string[] = [];

  note({ method, path, byName }: Request, status: number | undefined, answer: () => unknown): void {
    if (!path.startsWith("/v2/deployments")) return;
    if (method !== "GET") this.writes.push(`${method} ${path}`);
    else if (path === "/v2/deployments" && !byName) return;
    else if (status === 200) this.noteAnswer(path, answer());
    else if (status === 404) this.notePruned(path);
  }

  private noteAnswer(path: string, answer: unknown): void {
    const [, deployment, list, revision, more] = parts.exec(path) ?? [];
    if (path === "/v2/deployments")
      for (const record of rows<DeploymentRecord>(answer)) setFirst(this.found, record.id, record);
    if (deployment === undefined || more !== undefined) return;
    if (revision !== undefined) setFirst(this.revisions, revision, answer as RevisionRecord);
    else if (list !== undefined) this.noteList(deployment, rows<RevisionRecord>(answer));
    else setFirst(this.deployments, deployment, answer as DeploymentRecord);
  }

  private noteList(deployment: string, revisions: RevisionRecord[]): void {
    const seen = this.lists.get(deployment) ?? new Set();
    this.lists.set(deployment, new Set([...seen, ...revisions.map(({ id }) => id)]));
  }

  private notePruned(path: string): void {
    const [, , , revision, more] = parts.exec(path) ?? [];
    if (revision !== undefined && more === undefined) setFirst(this.revisions, revision, "pruned");
  }
}

/** A request to the control plane. */
interface Request {
  method: string;
  path: string;
  /** True if the request is a lookup by name. */
  byName: boolean;
}

const parts = /^\/v2\/deployments\/([^/]+)(\/revisions(?:\/([^/]+)(\/.*)?)?)?$/;

function rows<Row>(answer: unknown): Row[] {
  return (answer as { resources?: Row[] }).resources ?? [];
}

function setFirst<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (!map.has(key)) map.set(key, value);
}
