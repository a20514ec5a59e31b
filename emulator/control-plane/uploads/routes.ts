import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { PlaneDeps } from "../deps";
import { selfHostedPrefix } from "../prefix";
import { accessFailures, json, keyAndTenant, notFound, unaccepted } from "../routes/answers";
import type { PlaneEnvironment } from "../routes/environment";
import { deploymentPath, failureAnswer } from "../routes/schemas";

const body = z.object({ supports_upload_headers: z.boolean().nullish() }).openapi("UploadUrlRequest");

const answer = z
  .object({
    /** URL that the archive is sent to with PUT, without a key. */
    upload_url: z.string(),
    /** Value of `source_tarball_path` for requests that are sent after the upload. */
    object_path: z.string(),
    /** Headers that the PUT request requires; null unless the client stated that it will send them. */
    upload_headers: z.record(z.string(), z.string()).nullable(),
  })
  .openapi("UploadUrlResponse");

const uploadUrl = createRoute({
  tags: ["Deployments (v2)"],
  security: keyAndTenant,
  method: "post",
  path: "/v2/deployments/{deployment_id}/upload-url",
  summary: "Create Upload URL",
  request: { params: deploymentPath, body: { content: { "application/json": { schema: body } } } },
  responses: {
    200: json(answer, "URL to which the source of a revision is uploaded, as a gzip-compressed tar archive."),
    409: json(failureAnswer, "The deployment is being deleted."),
    ...unaccepted,
    ...notFound,
    ...accessFailures,
  },
});

/**
 * Adds the route that creates upload URLs and the route that receives uploads, if the dialect supports uploaded
 * sources.
 */
export function uploadRoutes(api: OpenAPIHono<PlaneEnvironment>, deps: PlaneDeps): void {
  const { deploymentService, uploads, dialect } = deps;
  if (!dialect.fields.sourceRevisionConfig.includes("source_tarball_path")) return;

  api.openapi(uploadUrl, (c) => {
    const deployment = deploymentService.deployment(c.get("tenantId"), c.req.valid("param").deployment_id);
    const { objectPath, query } = uploads.offer(deployment);
    // A client that uses the path prefix may not be able to access anything outside it.
    const prefix = c.req.path.startsWith(`${selfHostedPrefix}/`) ? selfHostedPrefix : "";
    const headers = c.req.valid("json").supports_upload_headers
      ? { "Content-Type": "application/gzip" }
      : null;
    // Uses the address that the client used, because the client may be in a container or behind a proxy.
    const upload_url = `${new URL(c.req.url).origin}${prefix}/${objectPath}?${query}`;
    return c.json({ upload_url, object_path: objectPath, upload_headers: headers }, 200);
  });

  api.put("/uploads/:deployment/:archive", async (c) => {
    const { deployment, archive } = c.req.param();
    const sent = c.req.raw.body as ReadableStream<Uint8Array> | null;
    await uploads.receive({
      path: `uploads/${deployment}/${archive}`,
      expires: c.req.query("expires"),
      token: c.req.query("token"),
      contentType: c.req.header("content-type"),
      contentLength: c.req.header("content-length"),
      body: sent ? Readable.fromWeb(sent) : Readable.from([]),
    });
    return c.body(null, 200);
  });
}
