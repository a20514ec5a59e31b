import type { Clock } from "../clock";
import type { Organization } from "../control-plane/access/organizations";
import type { IntegrationSeed } from "../control-plane/integrations/seed";
import type { Folders } from "../control-plane/folders";
import type { PlaneDeps } from "../control-plane/deps";
import { Refusal, refuse } from "../control-plane/refusal";
import { settled } from "../control-plane/rollouts/transition";
import type { StoredDeployment } from "../control-plane/store/deployments";
import type { StoredRevision } from "../control-plane/store/revisions";
import type { PastStatus } from "../control-plane/store/statuses";
import { noQuirks, type Quirks } from "../control-plane/quirks/quirks";
import type { Fault, Faults } from "./faults/faults";
import type { Journal, JournalEntry, JournalFilter } from "./journal/journal";
import type { AdminLibrary, ForeignPush, TokenSeed } from "./library";
import type { SteeringPlan } from "./steering/plan";
import type { Steering } from "./steering/steering";
import { VirtualClock } from "./virtual-clock";

export interface AdminDeps {
  plane: PlaneDeps;
  clock: Clock;
  folders: Folders;
  faults: Faults;
  journal: Journal;
  /** Control of simulated rollouts; absent if rollouts are not simulated. */
  steering: Steering | undefined;
  /** Creates the integrations from the options again. */
  seedIntegrations(): void;
}

/** Admin API of one control plane. */
export class Admin implements AdminLibrary {
  constructor(private readonly deps: AdminDeps) {}

  fault(fault: Fault): void {
    this.deps.faults.add(fault);
  }

  clearFaults(): void {
    this.deps.faults.reset();
  }

  steer(plan: SteeringPlan): void {
    this.#steering().steer(plan);
  }

  async step(named: string, revisionId?: string, status?: string): Promise<string> {
    const steering = this.#steering();
    const deployment = this.#deployment(named);
    const rollout = this.deps.plane.supervisor.underWay(deployment.id);
    const revision = this.#revision(deployment, revisionId ?? rollout?.revisionId);
    if (rollout?.revisionId !== revision.id)
      throw new Refusal(409, `Revision ID ${revision.id} is not rolling out: it is ${revision.status}.`);
    const reached = await Promise.race([steering.stepTo(revision.id, status), rollout.done]);
    if (typeof reached === "string" && settled(reached)) await rollout.done;
    return this.#revision(deployment, revision.id).status;
  }

  async setStatus(
    named: string,
    revisionId: string | undefined,
    status: string,
    message?: string,
  ): Promise<void> {
    const deployment = this.#deployment(named);
    if (status === "DEPLOYED" && !this.deps.steering)
      throw new Refusal(409, "A rollout can end as DEPLOYED only if its agent is running.");
    const revision = this.#revision(deployment, revisionId);
    if (!(await this.deps.plane.supervisor.force(revision, status, message ?? revision.statusMessage)))
      throw new Refusal(409, `No status can follow ${revision.status}.`);
  }

  statuses(named: string, revisionId?: string): PastStatus[] {
    const revision = this.#revision(this.#deployment(named), revisionId);
    return this.deps.plane.store.revisions.statuses(revision.id);
  }

  pushRevision(named: string, change: ForeignPush = {}): string {
    const deployment = this.#deployment(named);
    const { deploymentService, dialect } = this.deps.plane;
    const { graph_config_path: path, ...source } = change.sourceRevisionConfig ?? {};
    const revision = deploymentService.revise(deployment.tenantId, deployment.id, {
      source_revision_config: { ...source, ...(path !== undefined && { [dialect.graphConfigField]: path }) },
      secrets: change.secrets,
    });
    return revision.id;
  }

  lingerDeleted(seconds: number, finalSeconds = 0): void {
    if (!(seconds >= 0 && finalSeconds >= 0))
      throw new Refusal(400, "The linger time of deleted deployments must be 0 seconds or more.");
    this.deps.plane.removal.lingerSeconds = seconds;
    this.deps.plane.removal.finalLingerSeconds = finalSeconds;
  }

  setQuirks(change: Partial<Quirks>): void {
    Object.assign(this.deps.plane.quirks, change);
  }

  leaveTracingProject(name: string, tenantId?: string): void {
    const { organizations, store } = this.deps.plane;
    const owner = tenantId ?? organizations.all[0]!.tenants[0]!;
    if (!organizations.byTenant(owner)) throw new Refusal(404, `Workspace '${owner}' not found.`);
    store.tracingProjects.keep(owner, name);
  }

  journal(filter?: JournalFilter): JournalEntry[] {
    return this.deps.journal.read(filter);
  }

  clearJournal(): void {
    this.deps.journal.reset();
  }

  seedToken({ organization, expiresInSeconds, ...seed }: TokenSeed): void {
    const expiresAt = expiresInSeconds === undefined ? null : this.deps.clock.now() + expiresInSeconds * 1000;
    this.deps.plane.tokens.add(this.#organization(organization).name, { ...seed, expiresAt });
  }

  seedIntegration(seed: IntegrationSeed): string {
    const { organizations, integrations } = this.deps.plane;
    if (seed.tenantId !== undefined && !organizations.byTenant(seed.tenantId))
      throw new Refusal(404, `Workspace '${seed.tenantId}' not found.`);
    return integrations.seed(seed, organizations.all[0]!.tenants[0]!).id;
  }

  notifyPush(repoUrl: string, ref: string, commit?: string): Promise<string[]> {
    return this.deps.plane.pushes.notify(repoUrl, ref, commit);
  }

  removeIntegration(id: string): void {
    this.deps.plane.integrations.remove(id);
  }

  setSelfHostedEnterprise(enabled: boolean, organization?: string): void {
    this.deps.plane.listeners.setPlan(this.#organization(organization).name, enabled);
  }

  completeAuthentication(authId: string): void {
    this.deps.plane.authentication.complete(authId);
  }

  async advance(ms: number): Promise<void> {
    const { clock } = this.deps;
    if (!(clock instanceof VirtualClock))
      throw new Refusal(409, "This control plane uses the system clock, which cannot be advanced.");
    await clock.advance(ms);
  }

  async reset(): Promise<void> {
    const { plane, folders, faults, journal, steering } = this.deps;
    plane.removal.lingerSeconds = 0;
    plane.removal.finalLingerSeconds = 0;
    Object.assign(plane.quirks, noQuirks);
    plane.provisioning.close();
    await plane.removal.close();
    const deployments = plane.store.deployments.all();
    await Promise.all(deployments.map(({ id }) => plane.supervisor.stop(id)));
    for (const { id } of deployments) await folders.remove(id);
    plane.store.clear();
    plane.listeners.resetPlans();
    this.deps.seedIntegrations();
    for (const one of [faults, journal, steering]) one?.reset();
  }

  #steering(): Steering {
    if (!this.deps.steering) throw new Refusal(409, "Only simulated rollouts can be controlled.");
    return this.deps.steering;
  }

  #organization(name: string | undefined): Organization {
    const { all } = this.deps.plane.organizations;
    const found = name === undefined ? all[0] : all.find((one) => one.name === name);
    if (!found) throw new Refusal(404, `Organization '${name}' not found.`);
    return found;
  }

  #deployment(named: string): StoredDeployment {
    const all = this.deps.plane.store.deployments.all();
    const found = all.find(({ id }) => id === named) ?? all.find(({ name }) => name === named);
    if (!found) throw refuse.noDeployment(named);
    return found;
  }

  #revision(deployment: StoredDeployment, id: string | undefined): StoredRevision {
    const wanted = id ?? deployment.latestRevisionId ?? "";
    const revision = this.deps.plane.store.revisions.find(wanted);
    if (revision?.deploymentId !== deployment.id) throw refuse.noRevision(wanted);
    return revision;
  }
}
