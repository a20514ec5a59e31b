import type { ControlPlaneClient } from "../../control-plane/client";
import type { ListedIntegration } from "../../control-plane/client/integrations";
import { AgentServerError } from "../../errors";
import { withoutCredentials } from "../../text/address-credentials";
import { sameRepository } from "../../repository/same-repository";

/** An integration, with the default branch of the repository. */
export interface RepositoryIntegration extends ListedIntegration {
  /** Default branch of the repository; omitted if the server does not report it. */
  defaultBranch?: string;
}

/**
 * Finds the integration that has access to a repository.
 * @throws AgentServerError `bad_configuration` if no integration, or more than one, has access
 */
export async function findIntegration(
  client: ControlPlaneClient,
  repoUrl: string,
): Promise<RepositoryIntegration> {
  const all = await client.integrations.list();
  const reaching: RepositoryIntegration[] = [];
  for (const integration of all) {
    const repositories = (await client.integrations.repositories(integration)) ?? [];
    const found = repositories.find(({ url }) => sameRepository(url, repoUrl));
    if (found) reaching.push({ ...integration, defaultBranch: found.default_branch ?? undefined });
  }
  const [only, ...others] = reaching;
  if (only && others.length === 0) return only;
  const integrationText = ({ id, name }: ListedIntegration) => (name === undefined ? id : `${id} (${name})`);
  if (only)
    throw new AgentServerError(
      "bad_configuration",
      `Several integrations of this workspace can access the repository ${withoutCredentials(repoUrl)}: ${reaching.map(integrationText).join(", ")}. Specify one of these IDs instead of looking up the integration.`,
    );
  const known =
    all.length === 0 ? "the workspace has none" : `the workspace has ${all.map(integrationText).join(", ")}`;
  throw new AgentServerError(
    "bad_configuration",
    `No integration of this workspace can access the repository ${withoutCredentials(repoUrl)}; ${known}. Grant the Git host's app access to the repository, or correct the address.`,
  );
}
