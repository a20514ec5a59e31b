import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Deployment, LogPage, Resources, Revision } from "../answers";
import { creation, start, stopAll } from "../control-plane/client";
import { repositoryRoot } from "../../../tools/repository";
import { ensurePageBuilt } from "./browser/browser";

beforeAll(ensurePageBuilt);
afterEach(stopAll);

test.each(["/", "/page/main.js", "/page/style/theme.css", "/page/icon.svg"])(
  "serves %s with a policy that does not allow third-party content",
  async (path) => {
    const { client } = await start();
    const { status, headers } = await client.get(path);
    expect(status).toBe(200);
    const policy = headers.get("content-security-policy");
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  },
);

test("does not use inline scripts, inline styles, or external resources", async () => {
  const { client } = await start();
  const html = String((await client.get("/")).body);
  expect(html).not.toMatch(/<script(?![^>]*src=)|<style|style=|\son\w+=|https?:/);
});

test("does not include the control plane's schemas in the page's bundle", () => {
  const folder = join(repositoryRoot, "emulator", "page", "dist");
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
  expect(scripts).toContain("main.js");
  for (const name of scripts) expect(readFileSync(join(folder, name), "utf8")).not.toMatch(/ZodError|_zod\b/);
});

test.each([
  "/page/none.js",
  "/page/",
  "/page/style",
  "/page/licenses.txt",
  "/page/%2e%2e/index.ts",
  "/page/..%2findex.ts",
  "/page/../../package.json",
])("does not serve %s", async (path) => {
  const { client } = await start();
  expect(await client.get(path)).toMatchObject({ status: 404, body: { detail: "Not Found" } });
});

test.each([
  "/docs",
  "/openapi.json",
  "/api-host/docs",
  "/api-host/openapi.json",
  "/ok",
  "/none",
  "/v2/deployments",
  "/v2/auth/callback/none",
  "/v2/auth/setup/none?setup_action=update",
  "/v2/auth/wait/none",
  "/page/facts",
  "/agents/none/docs",
])("serves %s with headers that disallow scripts, frames, and type sniffing", async (path) => {
  const { client } = await start();
  const { headers } = await client.get(path);
  const policy = headers.get("content-security-policy")!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("script-src");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
});

test("requires a key and a workspace for the web console's data, and masks secrets", async () => {
  const { plane, client, clock } = await start({ admin: true });
  const log = [{ message: "old-secret and new-secret", level: "INFO" }];
  await client.post("/admin/steering", {
    pace: "at once",
    verdict: "BUILD_FAILED",
    reason: "old-secret",
    logs: log,
  });
  const secrets = [{ name: "KEY", value: "old-secret" }];
  const { id } = (await client.post<Deployment>("/v2/deployments", creation("agent", { secrets }))).body;
  await clock.advance(0);
  await client.patch(`/v2/deployments/${id}`, { secrets: [{ name: "KEY", value: "new-secret" }] });

  const { resources } = (await client.get<Resources<Revision>>(`/page/v2/deployments/${id}/revisions`)).body;
  const { id: revisionId, status_message } = resources[0]!;
  expect(status_message).toBe("[masked]");
  const lines = (await client.get<LogPage>(`/page/v2/deployments/${id}/revisions/${revisionId}/logs`)).body
    .logs;
  expect(lines[0]!.message).toBe("[masked] and [masked]");
  const [deployment] = (await client.get<Resources<Deployment>>("/page/v2/deployments")).body.resources;
  expect(deployment).toMatchObject({ id, name: "agent", secrets: [{ name: "KEY", value: "[masked]" }] });
  expect((await client.get<Deployment>(`/page/v2/deployments/${id}`)).body.secrets).toEqual(
    deployment!.secrets,
  );

  for (const refused of <Record<string, string>[]>[{ "x-api-key": "wrong" }, { "x-tenant-id": "wrong" }])
    expect([401, 403]).toContain(
      (await client.send("GET", "/page/v2/deployments", undefined, refused)).status,
    );
  expect((await client.post("/page/v2/deployments", creation("other"))).status).toBe(404);
  expect(plane.admin.journal({ path: "/page/**" })).toEqual([]);
});

test("does not apply faults to requests from the web console, or record them in the journal", async () => {
  const { plane, client } = await start();
  plane.admin.fault({ kind: "status", status: 500 });
  expect((await client.get("/page/v2/deployments")).status).toBe(200);
  expect(plane.admin.journal()).toEqual([]);
  expect((await client.get("/v2/deployments")).status).toBe(500);
});

test("returns data to the web console in the same format in every dialect", async () => {
  const { client } = await start({ dialect: "langsmith", rollout: "simulated" });
  const source_revision_config = { repo_ref: "main", langgraph_config_path: "langgraph.json" };
  const { id, latest_revision_id } = (
    await client.post<Deployment>("/v2/deployments", creation("agent", { source_revision_config }))
  ).body;
  const path = `/page/v2/deployments/${id}/revisions`;
  expect((await client.get(`${path}/${latest_revision_id}/logs`)).status).toBe(200);
  expect((await client.get<Resources<Revision>>(path)).body.resources).toMatchObject([
    { id: latest_revision_id, source_revision_config: { graph_config_path: "langgraph.json" } },
  ]);
});
