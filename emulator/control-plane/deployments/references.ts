import type { DialectTable, WireSourceConfig } from "../../../wire";
import { Refusal } from "../refusal";
import type { Store } from "../store/store";

/** Rejects deployments that refer to objects that do not exist in the deployment's workspace. */
export class References {
  constructor(
    private readonly store: Store,
    private readonly dialect: Pick<DialectTable, "listenerRequired">,
  ) {}

  /**
   * Rejects a new deployment if its integration or listener does not exist in its workspace, or if a required listener
   * is not specified.
   */
  require(tenantId: string, source: string, { integration_id, listener_id }: WireSourceConfig): void {
    // An empty string, which forms send, does not refer to anything.
    if (integration_id && this.store.integrations.find(integration_id)?.tenantId !== tenantId)
      throw wrong(
        `'source_config.integration_id' does not refer to an integration of this workspace: '${integration_id}'`,
      );
    if (listener_id) this.#requireListener(tenantId, listener_id);
    else if (this.dialect.listenerRequired.includes(source)) this.#requireNoListeners(tenantId);
  }

  #requireListener(tenantId: string, id: string): void {
    if (this.store.listeners.find(id)?.tenantId !== tenantId)
      throw wrong(`'source_config.listener_id' does not refer to a listener of this workspace: '${id}'`);
  }

  #requireNoListeners(tenantId: string): void {
    const ids = this.store.listeners.page(tenantId).map(({ id }) => `'${id}'`);
    if (ids.length > 0)
      throw wrong(
        `'source_config.listener_id' is required for workspace with available listener IDs: [${ids.join(", ")}]`,
      );
  }
}

function wrong(what: string): Refusal {
  return new Refusal(400, `Source configuration error: ${what}`);
}
