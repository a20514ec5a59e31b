import { randomUUID } from "node:crypto";
import type {
  CreateDeploymentBody,
  PatchDeploymentBody,
  WireSourceRevisionConfig,
} from "../../../provider/control-plane/wire";
import type { Dialect } from "../dialect";
import { refuse } from "../refusal";
import type { Supervisor } from "../rollouts/supervisor";
import type { StoredDeployment } from "../store/deployments";
import type { StoredRevision } from "../store/revisions";
import type { Store } from "../store/store";
import { mergeGroup } from "./merge";

/** A PATCH: it may repeat `name` and `source`, but not change them. */
export type DeploymentChange = PatchDeploymentBody & { name?: string | null; source?: string | null };

/** The deployments of all tenants, and what may be done with them. */
export class Catalogue {
  constructor(
    private readonly store: Store,
    private readonly supervisor: Supervisor,
    private readonly dialect: Dialect,
  ) {}

  /** A tenant's deployment; those of others do not exist for it. */
  deployment(tenantId: string, id: string): StoredDeployment {
    const deployment = this.store.deployments.find(id);
    if (deployment?.tenantId !== tenantId) throw refuse.noDeployment(id);
    return deployment;
  }

  revision(tenantId: string, deploymentId: string, revisionId: string): StoredRevision {
    this.deployment(tenantId, deploymentId);
    const revision = this.store.revisions.find(revisionId);
    if (revision?.deploymentId !== deploymentId) throw refuse.noRevision(revisionId);
    return revision;
  }

  /** Makes a deployment and its first revision. */
  create(tenantId: string, body: CreateDeploymentBody): StoredDeployment {
    const id = randomUUID();
    this.store.transaction(() => {
      if (this.store.deployments.findByName(tenantId, body.name)) throw refuse.nameTaken(body.name);
      this.store.deployments.insert({
        id,
        tenantId,
        name: body.name,
        source: body.source,
        sourceConfig: body.source_config,
        secrets: body.secrets ?? [],
      });
      this.#addRevision(id, body.source_revision_config);
    });
    this.supervisor.wake(id);
    return this.deployment(tenantId, id);
  }

  /** Changes a deployment; whether that makes a revision is the dialect's. */
  patch(tenantId: string, id: string, body: DeploymentChange): StoredDeployment {
    const revises = this.dialect.makesRevision(body);
    this.store.transaction(() => {
      const deployment = this.deployment(tenantId, id);
      if (deployment.goneAt !== null) throw refuse.beingDeleted(id);
      this.#requireUnchanged(deployment, body);
      if (body.source_config || body.secrets)
        this.store.deployments.update({
          ...deployment,
          sourceConfig: mergeGroup(deployment.sourceConfig, body.source_config ?? {}, this.dialect),
          secrets: body.secrets ?? deployment.secrets,
        });
      if (revises) this.#addRevision(id, body.source_revision_config ?? {});
    });
    if (revises) this.supervisor.wake(id);
    return this.deployment(tenantId, id);
  }

  #addRevision(deploymentId: string, change: WireSourceRevisionConfig): void {
    const deployment = this.store.deployments.find(deploymentId)!;
    const latest = this.store.revisions.page(deploymentId, 1, 0)[0];
    const id = randomUUID();
    this.store.revisions.insert({
      id,
      deploymentId,
      sourceConfig: deployment.sourceConfig,
      sourceRevisionConfig: mergeGroup(latest?.sourceRevisionConfig ?? {}, change, this.dialect),
      secrets: deployment.secrets,
    });
    this.store.deployments.update({ ...deployment, latestRevisionId: id });
  }

  #requireUnchanged(deployment: StoredDeployment, body: DeploymentChange): void {
    if (body.name != null && body.name !== deployment.name) throw refuse.fixed("name");
    if (body.source != null && body.source !== deployment.source) throw refuse.fixed("source");
    for (const field of this.dialect.fixedSourceConfig) {
      const sent = body.source_config?.[field];
      if (sent != null && sent !== deployment.sourceConfig[field])
        throw refuse.fixed(`source_config.${field}`);
    }
  }
}
