import { z } from "zod";
import { allOf, pageSize, pagesOf } from "../../http/pages";
import { deploymentPath } from "../paths";
import {
  deploymentList,
  deploymentRecord,
  type CreateDeploymentBody,
  type DeploymentRecord,
  type PatchDeploymentBody,
  type ResourceTiersBody,
} from "../../../wire";
import { withId } from "../with-id";
import { AgentServerError } from "../../errors";
import type { Late, Transport } from "../../http/transport";

/** A record as it came; what is known of it has the right shape. */
const wholeDeployment = z
  .looseObject({ id: z.string() })
  .refine((record) => deploymentRecord.safeParse(record).success, "is not a record of a deployment");
const deploymentPage = z.union([deploymentList, z.array(deploymentRecord)]);

/** The endpoints of deployments as functions; every answer is checked against its schema. */
export class DeploymentsClient {
  constructor(private readonly transport: Transport) {}

  /** `GET /v2/deployments` with one row: fails when the key or the workspace is refused. */
  async verifyAccess(signal?: AbortSignal): Promise<void> {
    const query = { limit: 1 };
    const answer = deploymentPage;
    await this.transport.send({ method: "GET", path: "/v2/deployments", query, answer, signal });
  }

  /** The deployments with exactly this name; a deleted one stays listed while it is taken apart. */
  async findByName(name: string, signal?: AbortSignal): Promise<DeploymentRecord[]> {
    const alike = await this.list(signal, { name_contains: name });
    return alike.filter((record) => record.name === name);
  }

  /** The deployments of an agent in one environment; a deleted one may stay listed while it is taken apart. */
  async findByAgent(agentId: string, environment: string, signal?: AbortSignal): Promise<DeploymentRecord[]> {
    const found = await this.list(signal, { agent_id: agentId, agent_environment: environment });
    // A server that does not know agents answers with all that there is.
    return found.filter(({ agent }) => agent?.agent_id === agentId && agent.environment === environment);
  }

  /**
   * The workspace's deployments, over all pages of `GET /v2/deployments`.
   * @param filter added to the query
   * @param previews whether builds of pull requests are among them, which come and go by themselves
   */
  async list(
    signal?: AbortSignal,
    filter: { name_contains?: string; agent_id?: string; agent_environment?: string } = {},
    previews = false,
  ): Promise<DeploymentRecord[]> {
    const rows = allOf(this.pages(signal, filter));
    return (await rows).filter(({ is_preview: isPreview }) => previews || !isPreview);
  }

  /** The first page of the workspace's deployments, without builds of pull requests. */
  async firstPage(signal?: AbortSignal): Promise<DeploymentRecord[]> {
    for await (const page of this.pages(signal))
      return page.filter(({ is_preview: isPreview }) => !isPreview);
    return [];
  }

  /** The same page by page, with all that is in it. */
  pages(
    signal?: AbortSignal,
    filter: { name_contains?: string; agent_id?: string; agent_environment?: string } = {},
  ): AsyncGenerator<DeploymentRecord[]> {
    const path = "/v2/deployments";
    const read = async (offset: number) => {
      const query = { ...filter, limit: pageSize, offset };
      const page = await this.transport.send({ method: "GET", path, query, answer: deploymentPage, signal });
      return Array.isArray(page) ? page : page.resources;
    };
    return pagesOf(this.transport.texts, { name: `GET ${path}`, read, keyOf: ({ id }) => id });
  }

  /** `POST /v2/deployments`. */
  create(body: CreateDeploymentBody, signal?: AbortSignal): Promise<DeploymentRecord> {
    const path = "/v2/deployments";
    return this.transport.send({
      method: "POST",
      path,
      body,
      // Whatever else is wrong with the answer, the id of what was made must not be lost.
      answer: deploymentRecord.or(deploymentRecord.pick({ id: true })),
      undone: `${body.name ? `deployment "${body.name}"` : "the deployment"} was not created`,
      signal,
    });
  }

  /**
   * `GET /v2/deployments/{deployment_id}`; nothing when the server does not know it. A 404 counts only where the
   * list of deployments answers: a wrong path prefix must not look like a deleted deployment.
   * @param duringWait whether it is a look of a wait that has a deadline of its own
   */
  find(
    deploymentId: string,
    signal?: AbortSignal,
    duringWait = false,
  ): Promise<DeploymentRecord | undefined> {
    return this.findAs(deploymentId, deploymentRecord, signal, duringWait);
  }

  /** The same with every field that the server reports, known to this release or not. */
  findWhole(deploymentId: string, signal?: AbortSignal): Promise<Record<string, unknown> | undefined> {
    return this.findAs(deploymentId, wholeDeployment, signal);
  }

  private async findAs<Answer extends { id: string }>(
    deploymentId: string,
    answer: z.ZodType<Answer>,
    signal: AbortSignal | undefined,
    duringWait = false,
  ): Promise<Answer | undefined> {
    try {
      return await this.transport.send({
        method: "GET",
        path: deploymentPath(deploymentId),
        answer: withId(answer, deploymentId),
        facts: { deploymentId },
        duringWait,
        signal,
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await this.verifyAccess(signal);
      return undefined;
    }
  }

  /** `PATCH /v2/deployments/{deployment_id}`; the answer's body is not promised, so it may be nothing. */
  patch(
    deploymentId: string,
    body: Late<PatchDeploymentBody>,
    signal?: AbortSignal,
  ): Promise<DeploymentRecord | undefined> {
    return this.transport.send({
      method: "PATCH",
      path: deploymentPath(deploymentId),
      body,
      answer: deploymentRecord.optional().catch(undefined),
      facts: { deploymentId },
      undone: `deployment ${deploymentId} was not changed`,
      signal,
    });
  }

  /** `PATCH /v2/deployments/{deployment_id}/resource-tiers`, which rolls out a revision. */
  resize(
    deploymentId: string,
    body: Late<ResourceTiersBody>,
    signal?: AbortSignal,
  ): Promise<DeploymentRecord | undefined> {
    return this.transport.send({
      method: "PATCH",
      path: `${deploymentPath(deploymentId)}/resource-tiers`,
      body,
      answer: deploymentRecord.optional().catch(undefined),
      facts: { deploymentId },
      undone: `the resource tiers of deployment ${deploymentId} were not changed`,
      signal,
    });
  }

  /**
   * `DELETE /v2/deployments/{deployment_id}`; one that is not there counts as deleted.
   * @param check called right before each time that the request is sent; if it throws, nothing is sent
   */
  async delete(deploymentId: string, check?: () => Promise<void>, signal?: AbortSignal): Promise<void> {
    try {
      await this.transport.send({
        method: "DELETE",
        path: deploymentPath(deploymentId),
        body: check,
        facts: { deploymentId },
        undone: `deployment ${deploymentId} was not deleted`,
        signal,
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await this.verifyAccess(signal);
    }
  }
}

function isNotFound(error: unknown): boolean {
  return AgentServerError.is(error) && error.isMissing;
}
