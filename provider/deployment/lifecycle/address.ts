import type { DeploymentRecord } from "../../control-plane/wire";

/** Where the deployment answers: the server's own word, else the address that was configured for it. */
export function urlOf(record: DeploymentRecord): string | undefined {
  return record.url ?? record.source_config?.custom_url ?? undefined;
}
