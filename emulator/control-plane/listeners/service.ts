import { randomUUID } from "node:crypto";
import type { ListenerCreateRequest, ListenerPatchRequest, ListenerRecord } from "../../../wire";
import type { Organization } from "../access/organizations";
import type { StoredListener } from "../store/listeners";
import type { Store } from "../store/store";
import { Refusal } from "../refusal";

/** Body of a PATCH request. It may include `compute_type` and `compute_id`, but cannot change them. */
type ListenerChange = ListenerPatchRequest & { compute_type?: string | null; compute_id?: string | null };

/** Listeners of workspaces. A listener rolls out deployments in a user's own cluster. */
export class ListenerService {
  readonly #plans = new Map<string, boolean>();

  constructor(private readonly store: Store) {}

  /** Moves an organization to, or from, the self-hosted enterprise plan. */
  setPlan(organization: string, selfHostedEnterprise: boolean): void {
    this.#plans.set(organization, selfHostedEnterprise);
  }

  /** Restores the initial plans of the organizations. */
  resetPlans(): void {
    this.#plans.clear();
  }

  /** Rejects organizations whose plan does not include listeners. */
  requirePlan({ name, selfHostedEnterprise = true }: Organization, tenantId: string): void {
    if (!(this.#plans.get(name) ?? selfHostedEnterprise)) throw refuseListener.plan(tenantId);
  }

  /** Returns a listener of the workspace. Listeners of other workspaces are reported as not found. */
  listener(tenantId: string, id: string): StoredListener {
    const found = this.store.listeners.find(id);
    if (found?.tenantId !== tenantId) throw refuseListener.unknown(id);
    return found;
  }

  create(tenantId: string, body: ListenerCreateRequest): StoredListener {
    return this.store.transaction(() => {
      if (this.store.listeners.findByCompute(tenantId, body.compute_id))
        throw refuseListener.taken(tenantId, body.compute_id);
      const id = randomUUID();
      this.store.listeners.insert({
        id,
        tenantId,
        version: body.version ?? null,
        computeType: body.compute_type,
        computeId: body.compute_id,
        computeConfig: body.compute_config,
      });
      return this.listener(tenantId, id);
    });
  }

  patch(tenantId: string, id: string, body: ListenerChange): StoredListener {
    return this.store.transaction(() => {
      const before = this.listener(tenantId, id);
      if (body.compute_type != null && body.compute_type !== before.computeType)
        throw refuseListener.fixed("compute_type");
      if (body.compute_id != null && body.compute_id !== before.computeId)
        throw refuseListener.fixed("compute_id");
      this.store.listeners.update({
        ...before,
        version: body.version ?? before.version,
        computeConfig: body.compute_config ?? before.computeConfig,
      });
      return this.listener(tenantId, id);
    });
  }

  remove(tenantId: string, id: string): void {
    this.store.transaction(() => this.store.listeners.remove(this.listener(tenantId, id).id));
  }
}

/** Returns the listener as clients see it. */
export function listenerRecordOf(listener: StoredListener): ListenerRecord {
  return {
    id: listener.id,
    version: listener.version,
    compute_type: listener.computeType,
    compute_id: listener.computeId,
    compute_config: { k8s_namespaces: listener.computeConfig.k8s_namespaces ?? null },
    created_at: new Date(listener.createdAt).toISOString(),
    updated_at: new Date(listener.updatedAt).toISOString(),
  };
}

/** Errors about listeners, with the messages of the public service if they are known. */
const refuseListener = {
  plan: (tenantId: string) =>
    new Refusal(
      403,
      `Listeners cannot be created for LangSmith workspace ID '${tenantId}'. Creating listeners is only allowed ` +
        "for LangSmith organizations with self-hosted enterprise plans.",
    ),
  unknown: (id: string) => new Refusal(404, `Listener ID ${id} not found.`),
  taken: (tenantId: string, computeId: string) =>
    new Refusal(
      409,
      `Listener for LangSmith workspace ID '${tenantId}' and compute ID '${computeId}' already exists.`,
    ),
  fixed: (field: string) =>
    new Refusal(
      400,
      `'${field}' cannot be changed after the listener has been created. Create a new listener instead.`,
    ),
};
