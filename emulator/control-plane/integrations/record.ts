import type { ForgeGithubIntegration, GithubIntegration } from "../../../wire";
import type { StoredIntegration } from "../store/integrations";

/** The integration as clients see it. */
export function integrationRecordOf(integration: StoredIntegration): GithubIntegration {
  return { id: integration.id, installation_id: integration.installationId, name: integration.name };
}

/** The same of the second app; there is no settings page to lead to. */
export function forgeIntegrationRecordOf(integration: StoredIntegration): ForgeGithubIntegration {
  return { ...integrationRecordOf(integration), repository_selection: "all", settings_url: null };
}
