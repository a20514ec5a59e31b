import { z } from "@hono/zod-openapi";
import {
  engineInstallLink,
  forgeGithubInstallationsList,
  forgeGithubIntegration,
  githubInstallationsList,
  githubInstallLink,
  githubInstallLinkRequest,
  githubIntegration,
  githubRepositoriesList,
  githubRepository,
} from "../../../wire";

export const integrationAnswer = githubIntegration.extend({}).openapi("GithubIntegration");
export const repositoryAnswer = githubRepository.extend({}).openapi("GithubRepository");

/** Schema of a response with a page of integrations. */
export const installationsAnswer = githubInstallationsList
  .extend({ items: z.array(integrationAnswer) })
  .openapi("GithubInstallationsList");

/** Schema of a response with a page of integrations of forge apps. */
export const forgeInstallationsAnswer = forgeGithubInstallationsList
  .extend({ items: z.array(forgeGithubIntegration.extend({}).openapi("ForgeGithubIntegration")) })
  .openapi("ForgeGithubInstallationsList");

/** Schema of a response with a page of repositories. */
export const repositoriesAnswer = githubRepositoriesList
  .extend({ items: z.array(repositoryAnswer) })
  .openapi("GithubRepositoriesList");

export const installLinkAnswer = githubInstallLink.extend({}).openapi("GithubInstallLink");
export const forgeInstallLinkAnswer = engineInstallLink.extend({}).openapi("EngineInstallLink");

/** Body of a request for an installation link. All fields are optional. */
export const installLinkBody = githubInstallLinkRequest.extend({}).openapi("GithubInstallLinkRequest");

export const integrationPath = z.object({ integration_id: z.guid() });
