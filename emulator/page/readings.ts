import { type Context, Hono } from "hono";
import { dialectTables } from "../../wire";
import { secretValues } from "../admin/journal/masking";
import type { PlaneParts } from "../control-plane/parts";
import { controlPlaneApp } from "../control-plane/routes/app";
import type { PlaneEnvironment } from "../control-plane/routes/environment";
import { shownAnswer } from "./masking";

/**
 * The control plane's own GET endpoints once more, for the page alone: to look at the control plane must not change it.
 * So what the page reads is not journaled, uses up no faults, and reaches the browser without secret values. Whatever
 * dialect clients speak, the page reads the one of the interface document.
 */
export function readingRoutes(parts: PlaneParts): Hono<PlaneEnvironment> {
  const plane = controlPlaneApp({ ...parts, dialect: dialectTables.interface }, []);
  const app = new Hono<PlaneEnvironment>();

  const read = async (c: Context<PlaneEnvironment>): Promise<Response> => {
    const url = new URL(c.req.url);
    url.pathname = url.pathname.slice(url.pathname.indexOf("/v2/"));
    const answer = await plane.fetch(new Request(url, { headers: c.req.raw.headers }), {});
    const values = secretValues(
      { secrets: keptSecrets(parts, c.req.param("deployment")) },
      parts.organizations.keys(),
    );
    const shown = Response.json(shownAnswer(await answer.json(), values), { status: answer.status });
    shown.headers.set("Cache-Control", "no-store");
    return shown;
  };

  app.get("/v2/deployments", read);
  app.get("/v2/deployments/:deployment", read);
  app.get("/v2/deployments/:deployment/revisions", read);
  app.get("/v2/deployments/:deployment/revisions/:revision/logs", read);
  return app;
}

/** What a deployment must not tell, even if a log line or a reason does; revisions may have had other secrets. */
function keptSecrets({ store }: PlaneParts, deploymentId: string | undefined) {
  if (!deploymentId) return [];
  const revisions = store.revisions.page(deploymentId, 100, 0);
  return [store.deployments.find(deploymentId), ...revisions].flatMap((one) => one?.secrets ?? []);
}
