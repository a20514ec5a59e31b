import { randomUUID } from "node:crypto";
import {
  changesSecrets,
  type CreateDeploymentBody,
  type CreateRevisionBody,
  makesRevision,
  type PatchDeploymentBody,
  type WireAgent,
} from "../../../wire";
import { type Dialect, keptRevisionConfig } from "../dialects";
import { completed } from "../dialects/resource-spec";
import {
  checkCreation,
  checkCustomUrl,
  checkEmptyTexts,
  checkPushedRef,
  checkSecrets,
  ruleOf,
} from "../dialects/source-rules";
import { refuse } from "../refusal";
import type { References } from "./references";
import type { Supervisor } from "../rollouts/supervisor";
import type { StoredDeployment } from "../store/deployments";
import type { StoredRevision } from "../store/revisions";
import type { Store } from "../store/store";
import type { Uploads } from "../uploads/uploads";
import type { Provisioning } from "./provisioning";
import { changedTraits, resized, type TierChange, traitsOf } from "./traits";

interface DeploymentServiceDeps {
  store: Store;
  supervisor: Supervisor;
  provisioning: Provisioning;
  references: References;
  uploads: Pick<Uploads, "require">;
  dialect: Dialect;
  /** Called for every deployment that is created or changed. */
  changed(deploymentId: string): void;
}

type RevisionSource = Pick<StoredRevision, "sourceRevisionConfig"> &
  Partial<Pick<StoredRevision, "resolvedCommit">>;

/** Service that manages the deployments of all tenants. */
export class DeploymentService {
  constructor(private readonly deps: DeploymentServiceDeps) {}

  /** Returns a deployment of the tenant. Deployments of other tenants are reported as not found. */
  deployment(tenantId: string, id: string): StoredDeployment {
    const deployment = this.deps.store.deployments.find(id);
    if (deployment?.tenantId !== tenantId) throw refuse.noDeployment(id);
    return deployment;
  }

  revision(tenantId: string, deploymentId: string, revisionId: string): StoredRevision {
    this.deployment(tenantId, deploymentId);
    const revision = this.deps.store.revisions.find(revisionId);
    if (revision?.deploymentId !== deploymentId) throw refuse.noRevision(revisionId);
    return revision;
  }

  /** Creates a deployment and, unless its source is uploaded later, its first revision. */
  create(tenantId: string, body: CreateDeploymentBody): StoredDeployment {
    const { store, dialect, provisioning } = this.deps;
    checkCreation(dialect, body);
    checkCustomUrl(body.source_config);
    this.deps.references.require(tenantId, body.source, body.source_config);
    checkSecrets(dialect, body.secrets);
    const id = randomUUID();
    const sourceRevisionConfig = keptRevisionConfig(body.source_revision_config, dialect)!;
    this.deps.uploads.require({ id }, sourceRevisionConfig.source_tarball_path);
    checkPushedRef(dialect, body.source_config, sourceRevisionConfig);
    const { firstRevision } = ruleOf(dialect, body.source);
    const deploymentType = body.source_config.deployment_type ?? dialect.defaultDeploymentType;
    store.transaction(() => {
      store.deployments.insert({
        id,
        tenantId,
        name: this.#nameFor(tenantId, body),
        source: body.source,
        sourceConfig: completed(dialect, {
          ...body.source_config,
          ...(deploymentType === undefined ? {} : { deployment_type: deploymentType }),
        }),
        secrets: body.secrets ?? [],
        traits: firstRevision ? traitsOf(body) : { ...traitsOf(body), sourceToCome: sourceRevisionConfig },
        databaseAt: provisioning.databaseAt(),
      });
      if (firstRevision) this.#addRevision(id, { sourceRevisionConfig });
    });
    provisioning.watch(this.deployment(tenantId, id));
    this.deps.supervisor.wake(id);
    this.deps.changed(id);
    return this.deployment(tenantId, id);
  }

  /** Updates a deployment. The dialect determines whether the update creates a revision. */
  patch(tenantId: string, id: string, body: PatchDeploymentBody): StoredDeployment {
    return this.#change(tenantId, id, body, makesRevision(this.deps.dialect, body));
  }

  /** Creates a revision, even if the body is empty. */
  revise(tenantId: string, id: string, body: CreateRevisionBody): StoredRevision {
    return this.#latest(this.#change(tenantId, id, body, true));
  }

  /** Creates a revision from the source of an earlier one: the same commit, with the current settings and secrets. */
  redeploy(tenantId: string, id: string, revisionId: string): StoredDeployment {
    const { sourceRevisionConfig, resolvedCommit } = this.revision(tenantId, id, revisionId);
    this.deps.store.transaction(() => {
      this.#live(tenantId, id);
      this.#addRevision(id, { sourceRevisionConfig, resolvedCommit });
    });
    this.deps.supervisor.wake(id);
    return this.deployment(tenantId, id);
  }

  /** Changes the tier of a deployment and rolls out a new revision. */
  resize(tenantId: string, id: string, change: TierChange): StoredDeployment {
    const { store } = this.deps;
    store.transaction(() => {
      const deployment = this.#live(tenantId, id);
      store.deployments.update({ ...deployment, traits: resized(deployment, change) });
      this.#addRevision(id, this.#sourceAfter(deployment, {}));
    });
    this.deps.supervisor.wake(id);
    return this.deployment(tenantId, id);
  }

  /**
   * Creates a revision for the commit that was pushed to a branch.
   *
   * @param alongside - Performs additional writes in the same transaction.
   */
  push(id: string, branch: string, commit: string | null, alongside: () => void): StoredRevision {
    const { store } = this.deps;
    store.transaction(() => {
      const kept = this.#sourceAfter(store.deployments.find(id)!, {}).sourceRevisionConfig;
      const repo_ref = kept.repo_ref === `refs/heads/${branch}` ? kept.repo_ref : branch;
      this.#addRevision(id, { sourceRevisionConfig: { ...kept, repo_ref }, resolvedCommit: commit });
      alongside();
    });
    this.deps.supervisor.wake(id);
    return store.revisions.latest(id)!;
  }

  /** Returns the name in the create request, or a name generated from the agent. Rejects a name that is in use. */
  #nameFor(tenantId: string, { name, agent }: CreateDeploymentBody): string {
    const { deployments, tracingProjects } = this.deps.store;
    if (agent) {
      if (deployments.findByAgent(tenantId, agent)) throw refuse.agentDeployed();
      return nameOfAgent(
        agent,
        (made) =>
          deployments.findByName(tenantId, made) !== undefined || tracingProjects.holds(tenantId, made),
      );
    }
    // The body's schema requires a name if there is no agent.
    if (deployments.findByName(tenantId, name!)) throw refuse.nameTaken(name!);
    if (tracingProjects.holds(tenantId, name!)) throw refuse.tracingProject(name!);
    return name!;
  }

  #change(tenantId: string, id: string, body: PatchDeploymentBody, revises: boolean): StoredDeployment {
    const { store, dialect } = this.deps;
    checkSecrets(dialect, body.secrets);
    store.transaction(() => {
      const deployment = this.#live(tenantId, id);
      checkEmptyTexts(dialect, deployment.source, body);
      checkCustomUrl(body.source_config);
      requireUnchanged(dialect, deployment, body);
      this.deps.uploads.require(deployment, body.source_revision_config?.source_tarball_path);
      const changed: StoredDeployment = {
        ...deployment,
        sourceConfig: completed(
          dialect,
          mergeGroup("source_config", deployment.sourceConfig, body.source_config ?? {}, dialect),
        ),
        secrets: changesSecrets(dialect, body.secrets) ? body.secrets : deployment.secrets,
        traits: changedTraits(deployment, body),
      };
      const source = this.#sourceAfter(deployment, body);
      checkPushedRef(dialect, changed.sourceConfig, source.sourceRevisionConfig);
      if (Object.keys(body).length > 0) store.deployments.update(changed);
      if (revises) this.#addRevision(id, source);
    });
    if (revises) this.deps.supervisor.wake(id);
    this.deps.changed(id);
    return this.deployment(tenantId, id);
  }

  #sourceAfter(deployment: StoredDeployment, body: PatchDeploymentBody): RevisionSource {
    const { store, dialect } = this.deps;
    const change = keptRevisionConfig(body.source_revision_config, dialect) ?? {};
    const kept =
      store.revisions.latest(deployment.id)?.sourceRevisionConfig ?? deployment.traits.sourceToCome ?? {};
    return { sourceRevisionConfig: mergeGroup("source_revision_config", kept, change, dialect) };
  }

  #addRevision(deploymentId: string, { sourceRevisionConfig, resolvedCommit = null }: RevisionSource): void {
    const { store } = this.deps;
    const deployment = store.deployments.find(deploymentId)!;
    const id = randomUUID();
    const { sourceConfig, secrets } = deployment;
    store.revisions.insert({ id, deploymentId, sourceConfig, sourceRevisionConfig, secrets, resolvedCommit });
    store.deployments.update({ ...deployment, latestRevisionId: id });
  }

  #latest(deployment: StoredDeployment): StoredRevision {
    return this.deps.store.revisions.find(deployment.latestRevisionId!)!;
  }

  #live(tenantId: string, id: string): StoredDeployment {
    const deployment = this.deployment(tenantId, id);
    if (deployment.goneAt !== null) throw refuse.beingDeleted(id);
    return deployment;
  }
}

/**
 * Maximum length of generated names. In some installations, rollouts of deployments with longer names never complete,
 * and users cannot change generated names.
 */
const longestName = 21;

/**
 * Returns a name for the deployment of an agent in an environment, such as `support-bot-staging`. The name contains
 * letters, digits, and dashes, and starts with a letter.
 *
 * @param isTaken - Returns true if a name is in use.
 */
function nameOfAgent(
  { agent_id: agentId, environment }: WireAgent,
  isTaken: (name: string) => boolean,
): string {
  const letters = agentId.normalize("NFKD").toLowerCase();
  const word = letters.replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
  const begun = /^[a-z]/.test(word) ? word : `agent-${word}`;
  for (let count = 1; ; count++) {
    const ending = count === 1 ? `-${environment}` : `-${environment}-${count}`;
    const name = begun.slice(0, longestName - ending.length).replace(/-$/, "") + ending;
    if (!isTaken(name)) return name;
  }
}

/** Rejects a PATCH request that changes an immutable field. The current value is accepted. */
function requireUnchanged(dialect: Dialect, deployment: StoredDeployment, body: PatchDeploymentBody): void {
  if (body.name != null && body.name !== deployment.name) throw refuse.fixed("name");
  if (body.source != null && body.source !== deployment.source) throw refuse.fixed("source");
  for (const field of dialect.fixedSourceConfig) {
    const sent = body.source_config?.[field];
    if (sent != null && JSON.stringify(sent) !== JSON.stringify(deployment.sourceConfig[field]))
      throw refuse.fixed(`source_config.${field}`);
  }
}

/** Merges a partial change into a group of settings. The dialect determines the meaning of null. */
function mergeGroup<Group extends object>(
  name: "source_config" | "source_revision_config",
  kept: Group,
  change: Group,
  dialect: Dialect,
): Group {
  const sent = Object.entries(change).filter(
    ([field, value]) =>
      value !== undefined && (value !== null || dialect.clearable.includes(`${name}.${field}`)),
  );
  return { ...kept, ...Object.fromEntries(sent) };
}
