import type { ForgeGithubIntegration, GithubIntegration } from "../../../wire";
import type { StoredIntegration } from "../store/integrations";

/** Returns the integration as clients see it. */
export function integrationRecordOf(integration: StoredIntegration): GithubIntegration {
  return { id: integration.id, installation_id: integration.installationId, name: integration.name };
}

/** Returns the integration of a forge app as clients see it. Forge apps have no settings page. */
export function forgeIntegrationRecordOf(integration: StoredIntegration): ForgeGithubIntegration {
  return { ...integrationRecordOf(integration), repository_selection: "all", settings_url: null };
}
