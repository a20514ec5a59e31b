import type { PatchDeploymentBody } from "../../../wire";
import type { Dialect } from "../dialects";
import { refuse } from "../refusal";
import type { StoredDeployment } from "../store/deployments";

/** Refuses a PATCH that would change what is given for good; it may repeat it. */
export function requireUnchanged(
  dialect: Dialect,
  deployment: StoredDeployment,
  body: PatchDeploymentBody,
): void {
  if (body.name != null && body.name !== deployment.name) throw refuse.fixed("name");
  if (body.source != null && body.source !== deployment.source) throw refuse.fixed("source");
  for (const field of dialect.fixedSourceConfig) {
    const sent = body.source_config?.[field];
    if (sent != null && JSON.stringify(sent) !== JSON.stringify(deployment.sourceConfig[field]))
      throw refuse.fixed(`source_config.${field}`);
  }
}
