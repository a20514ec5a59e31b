import { randomBytes } from "node:crypto";
import type { Clock } from "../../provider/clock";
import { rowsOf, textAt } from "./json";
import { type Journal, type Leftover, namePrefix, ownName } from "./journal";
import type { Answer, Requests } from "./requests";
import type { SourceName } from "./settings";

const path = "/v2/deployments";

/** Maximum number of deployments on one page of a list. */
const pageSize = 100;

/** Maximum number of attempts to delete the deployments, and the pause between two attempts in milliseconds. */
const removalAttempts = 3;
const removalPauseMs = 5_000;

/** Throwaway deployment of one source. */
export interface Subject {
  source: SourceName;
  name: string;
  id: string;
  /** Path of the deployment. */
  path: string;
  /** Body of the request that created the deployment. */
  sent: Record<string, unknown>;
  creation: Answer;
  /** Value of the secret that was sent. */
  secret: string;
  /** First revision, and the statuses that it had, in order; undefined before the first poll. */
  rollout?: Rollout;
  deletion?: Answer;
}

/** Rollout of a revision, with its statuses. */
export interface Rollout {
  revisionId: string;
  statuses: readonly string[];
  /** Last response of the server that contained the revision. */
  last: Answer;
}

/** Creates, polls, and removes throwaway deployments, and records them in the journal. */
export class Deployments {
  constructor(
    private readonly requests: Requests,
    private readonly journal: Journal,
    private readonly clock: Clock,
    private readonly signal: AbortSignal,
  ) {}

  /** Returns a new name for a deployment. */
  newName(): string {
    return namePrefix + randomBytes(6).toString("hex");
  }

  /**
   * Sends the request that creates a deployment.
   * @param name unique part of the body: name of the deployment, or ID of its agent
   */
  async create(name: string, body: object): Promise<Answer> {
    const { baseUrl, tenantId, dialect } = this.requests.connection;
    const known = this.journal.leftovers().some((one) => one.name === name);
    if (!known)
      this.journal.creating({ name, baseUrl, dialect, ...(tenantId !== undefined && { tenantId }) });
    const answer = await this.requests.send("POST", path, { body });
    const id = textAt(answer.body, "id");
    if (id !== undefined && answer.status < 300) {
      this.journal.created(name, id);
      this.requests.redaction.own(id);
    }
    return answer;
  }

  /** Polls the newest revision until it has a final status. Resolves with undefined if there is no revision. */
  async poll(subject: Subject, deadlineMs: number, everyMs: number): Promise<Rollout | undefined> {
    const record = await this.requests.send("GET", subject.path);
    const revisionId = textAt(record.body, "latest_revision_id");
    if (revisionId === undefined) return undefined;
    const end = this.clock.now() + deadlineMs;
    const statuses: string[] = [];
    for (;;) {
      const last = await this.requests
        .send("GET", `${subject.path}/revisions/${revisionId}`)
        .catch((error: unknown) => this.ignoreUntil(end, error));
      if (!last) {
        await this.clock.sleep(everyMs, this.signal);
        continue;
      }
      const status = textAt(last.body, "status");
      if (status !== undefined && status !== statuses.at(-1)) statuses.push(status);
      const isSettled =
        status === "DEPLOYED" || (status?.includes("FAILED") ?? false) || status === "SKIPPED";
      if (isSettled || this.clock.now() >= end) return { revisionId, statuses, last };
      // Polls are not part of the evidence, except for the last one.
      this.requests.exchanges.splice(this.requests.exchanges.indexOf(last.exchange), 1);
      await this.clock.sleep(everyMs, this.signal);
    }
  }

  /** Ignores a connection error during a poll until the time `end`. After that, throws the error instead. */
  private ignoreUntil(end: number, error: unknown): undefined {
    this.signal.throwIfAborted();
    if (this.clock.now() >= end) throw error;
  }

  /** Deletes a deployment of this run. */
  async delete(id: string): Promise<Answer> {
    const query = this.requests.connection.dialect === "langsmith" ? "?delete_tracing_project=true" : "";
    return this.requests.send("DELETE", `${path}/${id}${query}`);
  }

  /**
   * Deletes all deployments in the journal that belong to this connection. Returns the names of those that could not be
   * deleted. Deletes a deployment only if its record has the name, or the agent, that the journal contains.
   */
  async removeAll(): Promise<string[]> {
    for (let attempt = 1; attempt <= removalAttempts; attempt += 1) {
      for (const leftover of this.journal.leftovers()) {
        try {
          await this.remove(leftover);
          this.journal.removed(leftover.name);
        } catch {
          this.signal.throwIfAborted();
        }
      }
      if (this.journal.leftovers().length === 0) break;
      if (attempt < removalAttempts) await this.clock.sleep(removalPauseMs, this.signal);
    }
    this.journal.close();
    return this.journal.leftovers().map(({ name }) => name);
  }

  private async remove(leftover: Leftover): Promise<void> {
    const { baseUrl, tenantId } = this.requests.connection;
    if (leftover.baseUrl !== baseUrl || leftover.tenantId !== tenantId)
      throw new Error(`${leftover.name} belongs to another control plane or workspace.`);
    if (!ownName.test(leftover.name)) throw new Error(`${leftover.name} was not created by this command.`);
    const ids = new Set([...leftover.ids, ...(await this.idsOf(leftover.name))]);
    for (const id of ids) {
      const { status, body } = await this.requests.send("GET", `${path}/${id}`);
      if (status === 404) continue;
      if (status !== 200) throw new Error(`Deployment ${id} could not be read: status ${status}.`);
      if (!belongsTo(body, leftover.name)) throw new Error(`Deployment ${id} has another name.`);
      if (isBeingDeleted(body)) continue;
      const deletion = await this.delete(id);
      if (deletion.status >= 300 && deletion.status !== 404)
        throw new Error(`Deployment ${id} was not deleted: status ${deletion.status}.`);
    }
  }

  /**
   * Asks the control plane for the IDs of the deployments with this name. If the response to a create was lost, the
   * journal does not contain the ID.
   */
  private async idsOf(name: string): Promise<string[]> {
    const found: string[] = [];
    for (let offset = 0; ; offset += pageSize) {
      const { status, body } = await this.requests.send("GET", `${path}?limit=${pageSize}&offset=${offset}`);
      if (status !== 200) throw new Error(`The deployments could not be listed: status ${status}.`);
      const rows = rowsOf(body);
      const own = rows.filter((row) => belongsTo(row, name)).flatMap((row) => textAt(row, "id") ?? []);
      for (const id of own) this.requests.redaction.own(id);
      found.push(...own);
      if (rows.length < pageSize) return found;
    }
  }
}

/**
 * True if the record belongs to the agent with this ID, or has this name. A probe may have added a suffix to the name.
 */
function belongsTo(record: unknown, name: string): boolean {
  return textAt(record, "name")?.startsWith(name) === true || textAt(record, "agent.agent_id") === name;
}

/** True if the record states that the deployment has been deleted and its resources are being removed. */
export function isBeingDeleted(record: unknown): boolean {
  return /^AWAITING_(FINAL_)?DELETE$/.test(textAt(record, "status") ?? "");
}
