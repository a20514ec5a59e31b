import { z } from "zod";
import { allOf, pageSize, pagesOf } from "../../http/pages";
import { deploymentPath } from "../paths";
import { isId } from "./unless-missing";
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
import type { Transport } from "../../http/transport";

/** A complete record, including fields that this release does not know. The known fields are validated. */
const wholeDeployment = z
  .looseObject({ id: z.string() })
  .refine((record) => deploymentRecord.safeParse(record).success, "is not a record of a deployment");
const deploymentPage = z.union([deploymentList, z.array(deploymentRecord)]);

/** Client for the deployment endpoints; every response is checked against its schema. */
export class DeploymentsClient {
  constructor(private readonly transport: Transport) {}

  /** `GET /v2/deployments` with a page size of one; fails if the credentials or the workspace are rejected. */
  async verifyAccess(signal?: AbortSignal): Promise<void> {
    const query = { limit: 1 };
    const answer = deploymentPage;
    await this.transport.send({ method: "GET", path: "/v2/deployments", query, answer, signal });
  }

  /**
   * Returns the deployments with exactly this name. A deleted deployment stays listed until its resources are removed.
   */
  async findByName(name: string, signal?: AbortSignal): Promise<DeploymentRecord[]> {
    const alike = await this.list(signal, { name_contains: name });
    return alike.filter((record) => record.name === name);
  }

  /**
   * Returns the deployments of an agent in one environment. A deleted deployment may stay listed until its resources
   * are removed.
   */
  async findByAgent(agentId: string, environment: string, signal?: AbortSignal): Promise<DeploymentRecord[]> {
    const found = await this.list(signal, { agent_id: agentId, agent_environment: environment });
    // A server without support for agents ignores the filter.
    return found.filter(({ agent }) => agent?.agent_id === agentId && agent.environment === environment);
  }

  /**
   * Returns the workspace's deployments, from all pages of `GET /v2/deployments`.
   * @param filter added to the query
   * @param previews true to include preview deployments of pull requests, which are created and deleted automatically
   */
  async list(
    signal?: AbortSignal,
    filter: { name_contains?: string; agent_id?: string; agent_environment?: string } = {},
    previews = false,
  ): Promise<DeploymentRecord[]> {
    const rows = allOf(this.pages(signal, filter));
    return (await rows).filter(({ is_preview: isPreview }) => previews || !isPreview);
  }

  /** Returns the first page of the workspace's deployments, except preview deployments of pull requests. */
  async firstPage(signal?: AbortSignal): Promise<DeploymentRecord[]> {
    for await (const page of this.pages(signal))
      return page.filter(({ is_preview: isPreview }) => !isPreview);
    return [];
  }

  /** Yields the workspace's deployments page by page, by default without a filter. */
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
      // The ID of the new deployment must be kept even if the rest of the response is invalid.
      answer: deploymentRecord.or(deploymentRecord.pick({ id: true })),
      undone: `${body.name ? `deployment "${body.name}"` : "the deployment"} was not created`,
      signal,
    });
  }

  /**
   * `GET /v2/deployments/{deployment_id}`; `undefined` if there is none. A 404 is accepted only if the list of
   * deployments can be read, because a wrong path prefix must not be mistaken for a deleted deployment.
   * @param duringWait true if the request is part of a wait that has its own deadline
   * @throws AgentServerError `bad_configuration` if the server rejects an ID that is not a UUID, such as a name
   */
  find(
    deploymentId: string,
    signal?: AbortSignal,
    duringWait = false,
  ): Promise<DeploymentRecord | undefined> {
    return this.findAs(deploymentId, deploymentRecord, signal, duringWait);
  }

  /**
   * Returns the record of a deployment with every field that the server reports, including fields that this release
   * does not know.
   */
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
        path: deploymentPath(deploymentId, this.transport.texts),
        answer: withId(answer, deploymentId),
        facts: { deploymentId },
        duringWait,
        signal,
      });
    } catch (error) {
      if (AgentServerError.is(error) && error.isInvalid && !isId(deploymentId))
        throw new AgentServerError(
          "bad_configuration",
          `"${deploymentId}" is not the ID of a deployment; IDs are UUIDs. \`npx agentserver export --format import\` prints the IDs of all deployments.`,
          error.facts,
        );
      if (!isNotFound(error)) throw error;
      await this.verifyAccess(signal);
      return undefined;
    }
  }

  /**
   * `PATCH /v2/deployments/{deployment_id}`; `undefined` if the response has no usable body, because the API does not
   * guarantee one.
   * @param prepare called immediately before each attempt; returns the body
   */
  patch(
    deploymentId: string,
    prepare: () => Promise<PatchDeploymentBody>,
    signal?: AbortSignal,
  ): Promise<DeploymentRecord | undefined> {
    return this.transport.send({
      method: "PATCH",
      path: deploymentPath(deploymentId, this.transport.texts),
      prepare,
      answer: deploymentRecord.optional().catch(undefined),
      facts: { deploymentId },
      undone: `deployment ${deploymentId} was not changed`,
      signal,
    });
  }

  /**
   * `PATCH /v2/deployments/{deployment_id}/resource-tiers`; creates a revision.
   * @param prepare called immediately before each attempt; returns the body
   */
  resize(
    deploymentId: string,
    prepare: () => Promise<ResourceTiersBody>,
    signal?: AbortSignal,
  ): Promise<DeploymentRecord | undefined> {
    return this.transport.send({
      method: "PATCH",
      path: `${deploymentPath(deploymentId, this.transport.texts)}/resource-tiers`,
      prepare,
      answer: deploymentRecord.optional().catch(undefined),
      facts: { deploymentId },
      undone: `the resource tiers of deployment ${deploymentId} were not changed`,
      signal,
    });
  }

  /**
   * `DELETE /v2/deployments/{deployment_id}`. Also succeeds if the deployment no longer exists.
   * @param check called immediately before each attempt; if it throws, nothing is sent
   */
  async delete(deploymentId: string, check?: () => Promise<void>, signal?: AbortSignal): Promise<void> {
    try {
      await this.transport.send({
        method: "DELETE",
        path: deploymentPath(deploymentId, this.transport.texts),
        prepare: check,
        facts: { deploymentId },
        undone: `deployment ${deploymentId} was not deleted`,
        signal,
      });
    } catch (error) {
      // The check may fail with a 404 as well.
      if (!isNotFound(error) || error.facts.notProcessed) throw error;
      await this.verifyAccess(signal);
    }
  }
}

function isNotFound(error: unknown): error is AgentServerError {
  return AgentServerError.is(error) && error.isMissing;
}
