import { type Context, Hono } from "hono";
import { type DialectTable, dialectTables, environmentParts } from "../../wire";
import { secretValues } from "../admin/journal/masking";
import type { PlaneDeps } from "../control-plane/deps";
import { controlPlaneApp } from "../control-plane/routes/app";
import type { PlaneEnvironment } from "../control-plane/routes/environment";
import { shownAnswer } from "./masking";

/** Dialect of the web console: `interface`, with the settings of all dialects. */
const pageDialect: DialectTable = {
  ...dialectTables.interface,
  fields: { ...dialectTables.interface.fields, sourceConfig: dialectTables.langsmith.fields.sourceConfig },
};

/**
 * Returns copies of the control plane's GET endpoints for the web console, because reading must not change the control
 * plane. Requests from the web console are not recorded in the journal and do not consume faults, and their responses
 * contain no secret values. The web console always uses one dialect.
 */
export function readingRoutes(deps: PlaneDeps): Hono<PlaneEnvironment> {
  const plane = controlPlaneApp({ ...deps, dialect: pageDialect }, []);
  const app = new Hono<PlaneEnvironment>();

  const answer = async (c: Context<PlaneEnvironment>, add = (content: unknown) => content) => {
    const url = new URL(c.req.url);
    url.pathname = url.pathname.slice(url.pathname.indexOf("/v2/"));
    const given = await plane.fetch(new Request(url, { headers: c.req.raw.headers }), {});
    const values = secretValues(
      { secrets: keptSecrets(deps, c.req.param("deployment")) },
      deps.organizations.keys(),
    );
    const content: unknown = await given.json();
    const shown = Response.json(shownAnswer(given.ok ? add(content) : content, values), {
      status: given.status,
    });
    shown.headers.set("Cache-Control", "no-store");
    return shown;
  };
  const read = (c: Context<PlaneEnvironment>): Promise<Response> => answer(c);

  app.get("/v2/deployments", read);
  app.get("/v2/deployments/:deployment", (c) =>
    answer(c, (content) => ({
      ...(content as object),
      tracked_repo_ref: deps.store.deployments.find(c.req.param("deployment"))?.traits.trackedRepoRef,
    })),
  );
  app.get("/v2/deployments/:deployment/revisions", (c) =>
    answer(c, (content) => withHistory(content as Revisions, deps)),
  );
  app.get("/v2/deployments/:deployment/revisions/:revision/logs", read);
  return app;
}

interface Revisions {
  resources: { id: string }[];
}

/**
 * Adds the fields that only the web console receives to each revision: its statuses, its runtime, and the settings that
 * it was created from.
 */
function withHistory({ resources, ...rest }: Revisions, { store }: PlaneDeps): Revisions {
  const known = (id: string) => ({
    statuses: store.revisions
      .statuses(id)
      .map(({ status, at }) => ({ status, at: new Date(at).toISOString() })),
    runtime: store.revisions.runtime(id),
    source_config: store.revisions.find(id)?.sourceConfig,
    secrets: store.revisions.find(id)?.secrets ?? [],
  });
  return { ...rest, resources: resources.map((one) => ({ ...one, ...known(one.id) })) };
}

/** Returns the secrets to redact from log lines and reasons, including those of earlier revisions. */
function keptSecrets({ store }: PlaneDeps, deploymentId: string | undefined) {
  if (!deploymentId) return [];
  const revisions = store.revisions.page(deploymentId, 100, 0);
  return [store.deployments.find(deploymentId), ...revisions].flatMap((one) =>
    one ? environmentParts(one.secrets).secrets : [],
  );
}
