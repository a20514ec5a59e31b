import { withId } from "../with-id";
import { AgentServerError } from "../../errors";
import { pageSize, pagesOf } from "../../http/pages";
import { deploymentPath, revisionPath } from "../paths";
import type { Transport } from "../../http/transport";
import {
  deploymentRecord,
  revisionList,
  revisionLogs,
  revisionRecord,
  type CreateRevisionBody,
  type DeploymentRecord,
  type RevisionLogEntry,
  type RevisionLogs,
  type RevisionRecord,
} from "../../../wire";

/** Type of a revision's log: the log of the build, or of the agent server. */
export type LogType = "build" | "deploy";

/** Selection of log lines. */
export interface LogQuery {
  type: LogType;
  order: "asc" | "desc";
  /** Maximum number of lines per page, at most 1000. */
  limit: number;
  /** `next_offset` of the previous page. */
  offset?: string | null;
}

/** Client for the endpoints of revisions and their logs. */
export class RevisionsClient {
  constructor(private readonly transport: Transport) {}

  /**
   * Returns the path of a revision.
   * @throws AgentServerError `unexpected_response` for an ID that cannot be part of a URL
   */
  path(deploymentId: string, revisionId: string): string {
    return revisionPath(deploymentId, revisionId, this.transport.texts);
  }

  /**
   * `POST /v2/deployments/{deployment_id}/revisions`; always creates a revision, regardless of the body.
   * @param prepare called immediately before each attempt; returns the body
   */
  create(
    deploymentId: string,
    prepare: () => Promise<CreateRevisionBody>,
    signal?: AbortSignal,
  ): Promise<RevisionRecord> {
    return this.transport.send({
      method: "POST",
      path: `${deploymentPath(deploymentId, this.transport.texts)}/revisions`,
      prepare,
      answer: revisionRecord,
      facts: { deploymentId },
      undone: `deployment ${deploymentId} was not changed`,
      signal,
    });
  }

  /** `GET /v2/deployments/{deployment_id}/revisions`, page by page, newest first. */
  pages(deploymentId: string, signal?: AbortSignal): AsyncGenerator<RevisionRecord[]> {
    const path = `${deploymentPath(deploymentId, this.transport.texts)}/revisions`;
    const read = async (offset: number) => {
      const query = { limit: pageSize, ...(offset > 0 && { offset }) };
      const list = await this.transport.send({
        method: "GET",
        path,
        query,
        answer: revisionList,
        facts: { deploymentId },
        signal,
      });
      return list.resources;
    };
    return pagesOf(this.transport.texts, { name: `GET ${path}`, read, keyOf: ({ id }) => id });
  }

  /** Returns the newest revisions, newest first: the first page, with up to 100 rows if the server paginates. */
  async list(deploymentId: string, signal?: AbortSignal): Promise<RevisionRecord[]> {
    for await (const page of this.pages(deploymentId, signal)) return page;
    return [];
  }

  /**
   * Returns the revisions that are newer than this one, newest first; `undefined` if the server no longer lists this
   * revision.
   */
  async after(
    deploymentId: string,
    revisionId: string,
    signal?: AbortSignal,
  ): Promise<RevisionRecord[] | undefined> {
    const newer: RevisionRecord[] = [];
    for await (const page of this.pages(deploymentId, signal)) {
      const place = page.findIndex(({ id }) => id === revisionId);
      if (place !== -1) return [...newer, ...page.slice(0, place)];
      newer.push(...page);
    }
    return undefined;
  }

  /**
   * `GET /v2/deployments/{deployment_id}/revisions/{revision_id}`.
   * @param duringWait true if the request is part of a wait that has its own deadline
   */
  get(
    deploymentId: string,
    revisionId: string,
    signal?: AbortSignal,
    duringWait = false,
  ): Promise<RevisionRecord> {
    return this.transport.send({
      method: "GET",
      path: this.path(deploymentId, revisionId),
      answer: withId(revisionRecord, revisionId),
      facts: { deploymentId, revisionId },
      duringWait,
      signal,
    });
  }

  /**
   * Returns one page of `GET …/revisions/{revision_id}/logs`; `undefined` if the server does not have that endpoint.
   * The revision must exist, because a missing revision results in the same response.
   */
  async findLogs(
    deploymentId: string,
    revisionId: string,
    query: LogQuery,
    signal?: AbortSignal,
  ): Promise<RevisionLogs | undefined> {
    try {
      return await this.readLogs(deploymentId, revisionId, query, signal);
    } catch (error) {
      if (AgentServerError.is(error) && error.isUnsupported) return undefined;
      throw error;
    }
  }

  /**
   * `POST /v2/deployments/{deployment_id}/revisions/{revision_id}/redeploy`; creates a revision from the source of this
   * revision and returns the deployment.
   * @param check called immediately before each attempt; if it throws, nothing is sent
   */
  redeploy(
    deploymentId: string,
    revisionId: string,
    check: () => Promise<void>,
    signal?: AbortSignal,
  ): Promise<DeploymentRecord> {
    return this.transport.send({
      method: "POST",
      path: `${this.path(deploymentId, revisionId)}/redeploy`,
      prepare: check,
      answer: deploymentRecord,
      facts: { deploymentId, revisionId },
      undone: `deployment ${deploymentId} was not rolled back to revision ${revisionId}`,
      signal,
    });
  }

  /**
   * Returns the newest lines of a revision's build or runtime log, oldest first; `undefined` if the log cannot be read
   * for any reason.
   */
  async tailLogs(
    deploymentId: string,
    revisionId: string,
    type: LogType,
    lines: number,
    signal?: AbortSignal,
  ): Promise<RevisionLogEntry[] | undefined> {
    try {
      const query: LogQuery = { type, order: "desc", limit: lines };
      return (await this.readLogs(deploymentId, revisionId, query, signal)).logs.slice(0, lines).reverse();
    } catch (error) {
      if (AgentServerError.is(error)) return undefined;
      throw error;
    }
  }

  private readLogs(
    deploymentId: string,
    revisionId: string,
    { offset, ...query }: LogQuery,
    signal: AbortSignal | undefined,
  ): Promise<RevisionLogs> {
    return this.transport.send({
      method: "GET",
      path: `${this.path(deploymentId, revisionId)}/logs`,
      query: { ...query, ...(offset != null && { offset }) },
      answer: revisionLogs,
      facts: { deploymentId, revisionId },
      signal,
    });
  }
}
