import { z } from "zod";

/** Installation of the Git host's app. Deployments refer to its `id` as `integration_id`. */
export const githubIntegration = z.object({
  id: z.guid(),
  installation_id: z.number().int(),
  name: z.string(),
});

/** Installation of the `forge-github` app, with the fields that its repository picker displays. */
export const forgeGithubIntegration = githubIntegration.extend({
  repository_selection: z.string().nullish(),
  settings_url: z.string().nullish(),
});

/** Repository that an integration can access; `url` and `default_branch` can be used as `repo_url` and `repo_ref`. */
export const githubRepository = z.object({
  host_integration_id: z.guid(),
  id: z.number().int(),
  name: z.string(),
  owner: z.string(),
  url: z.string(),
  default_branch: z.string(),
});

/** Response of `GET /v2/integrations/github/installations`. */
export const githubInstallationsList = z.object({
  items: z.array(githubIntegration),
  next_cursor: z.string().nullish(),
});

/** Response of `GET /v2/integrations/forge-github/installations`. */
export const forgeGithubInstallationsList = githubInstallationsList.extend({
  items: z.array(forgeGithubIntegration),
});

/** Response of `GET /v2/integrations/github/installations/{integration_id}/repositories`. */
export const githubRepositoriesList = z.object({
  items: z.array(githubRepository),
  next_cursor: z.string().nullish(),
});

/** Response of `POST /v2/integrations/github/installation-link`. */
export const githubInstallLink = z.object({ install_url: z.string(), oauth_reuse_url: z.string().nullish() });

/** Body of `POST /v2/integrations/forge-github/installation-link`; the body is optional. */
export const githubInstallLinkRequest = z.object({ return_to: z.string().nullish() });

/** Response of `POST /v2/integrations/forge-github/installation-link`. */
export const engineInstallLink = z.object({ install_url: z.string() });

export type GithubIntegration = z.infer<typeof githubIntegration>;
export type ForgeGithubIntegration = z.infer<typeof forgeGithubIntegration>;
export type GithubRepository = z.infer<typeof githubRepository>;
