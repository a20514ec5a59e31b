import type { Hono } from "hono";
import { installationPath } from "./service";
import type { PlaneDeps } from "../deps";
import type { PlaneEnvironment } from "../routes/environment";
import { notice } from "../../notice";

export { integrationRoutesV1 } from "./routes-v1";
export { integrationRoutesV2 } from "./routes-v2";

/** Paths that need a key and a workspace. */
export const integrationPaths = ["/v1/integrations/*", "/v2/integrations/*"];

/** Serves the page of an installation link: opening it simulates the installation of the app by a user. */
export function installationPage(api: Hono<PlaneEnvironment>, { integrations }: PlaneDeps): void {
  api.get(`${installationPath}/:link`, (c) => {
    const { integration, returnTo } = integrations.install(c.req.param("link"));
    if (returnTo && /^https?:\/\//.test(returnTo)) return c.redirect(returnTo, 303);
    return c.html(
      notice("Installed", `The integration '${integration.name}' is there; its ID is ${integration.id}.`),
    );
  });
}
