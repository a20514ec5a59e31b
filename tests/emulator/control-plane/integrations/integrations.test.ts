import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { forgeGithubIntegration, githubIntegration, githubRepository } from "../../../../wire";
import type { CursorPage, InstallationLink, Named, Refused } from "../../answers";
import { clientOf, start, stopAll } from "../client";
import { temporaryFolder } from "../folder";

afterEach(stopAll);

const v1 = "/v1/integrations/github";
const v2 = "/v2/integrations/github";
const acme = {
  id: "11111111-1111-4111-8111-111111111111",
  name: "acme",
  repositories: [
    { name: "agent", url: "https://example.test/acme/agent.git" },
    { name: "other", owner: "else", url: "https://example.test/other.git", defaultBranch: "trunk" },
  ],
};

test("returns seeded integrations and their repositories in both versions of the API", async () => {
  const { client } = await start({ integrations: [acme, { name: "second" }] });
  const list = (await client.get<Named[]>(`${v1}/install`)).body;
  expect(list).toEqual([
    { id: acme.id, installation_id: 1, name: "acme" },
    { id: expect.any(String), installation_id: 2, name: "second" },
  ]);
  for (const one of list) githubIntegration.parse(one);
  const repositories = (await client.get<Named[]>(`${v1}/${acme.id}/repos`)).body;
  expect(repositories).toEqual([
    {
      host_integration_id: acme.id,
      id: expect.any(Number),
      name: "agent",
      owner: "acme",
      url: "https://example.test/acme/agent.git",
      default_branch: "main",
    },
    expect.objectContaining({ name: "other", owner: "else", default_branch: "trunk" }),
  ]);
  for (const one of repositories) githubRepository.parse(one);
  expect((await client.get(`${v2}/installations`)).body).toEqual({ items: list, next_cursor: null });
  for (const path of [
    `${v2}/installations/${acme.id}/repositories`,
    `/api-host${v2}/${acme.id}/repositories`,
  ])
    expect((await client.get(path)).body).toEqual({ items: repositories, next_cursor: null });
});

test("returns pages in version 2 of the API", async () => {
  const { client, plane } = await start();
  for (const name of ["a", "b", "c"]) plane.admin.seedIntegration({ name });
  const names: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await client.get<CursorPage<Named>>(`${v2}/installations?page_size=2${query}`);
    names.push(...body.items.map((one) => one.name));
    cursor = body.next_cursor;
  }
  expect(names).toEqual(["a", "b", "c"]);
  expect((await client.get<Refused<object[]>>(`${v2}/installations?cursor=x`)).body.detail).toEqual([
    { loc: ["query", "cursor"], msg: "Invalid cursor", type: "value_error" },
  ]);
  expect((await client.get(`${v2}/installations?page_size=101`)).status).toBe(422);
});

test("returns integrations of GitHub and of forge apps at separate paths", async () => {
  const { client, plane } = await start({ integrations: [acme] });
  const id = plane.admin.seedIntegration({ name: "forge", kind: "forge-github" });
  const list = (await client.get("/v1/integrations/forge/github/install")).body;
  expect(list).toEqual([{ id, installation_id: 2, name: "forge" }]);
  expect((await client.get(`/v1/integrations/forge/github/${id}/repos`)).body).toEqual([]);
  expect((await client.get(`/v1/integrations/forge/github/${acme.id}/repos`)).status).toBe(404);
  const { items } = (await client.get<CursorPage<Named>>("/v2/integrations/forge-github/installations")).body;
  expect(items.map((one) => forgeGithubIntegration.parse(one))).toMatchObject([
    { id, repository_selection: "all" },
  ]);
});

test("hides integrations from other workspaces", async () => {
  const { client, plane } = await start({
    organizations: [{ name: "one", apiKeys: ["key"], tenants: ["a", "b"] }],
    integrations: [acme],
  });
  const other = clientOf(plane, { "X-Tenant-Id": "b" });
  expect((await other.get(`${v1}/install`)).body).toEqual([]);
  expect(await other.get(`${v1}/${acme.id}/repos`)).toMatchObject({
    status: 404,
    body: { detail: `Integration ID ${acme.id} not found.` },
  });
  expect((await client.get<Refused<object[]>>(`${v1}/nonsense/repos`)).body.detail).toMatchObject([
    { type: "uuid_parsing" },
  ]);
  expect((await client.send("GET", `${v1}/install`, undefined, { "X-Api-Key": "no" })).status).toBe(401);
  expect((await client.send("GET", `${v1}/install`, undefined, { "X-Tenant-Id": "c" })).status).toBe(403);
  expect(() => plane.admin.seedIntegration({ name: "x", tenantId: "nowhere" })).toThrow(
    "Workspace 'nowhere' not found.",
  );
});

test("lists the repositories in a local folder through an integration", async () => {
  const folder = temporaryFolder();
  const git = (...args: string[]): unknown => execFileSync("git", args, { stdio: "pipe" });
  git("init", "--quiet", "--bare", "--initial-branch=trunk", join(folder, "agent.git"));
  git("init", "--quiet", "--initial-branch=main", join(folder, "team", "inner"));
  mkdirSync(join(folder, "no-repository"));
  const { client, plane } = await start();
  const id = plane.admin.seedIntegration({ name: "local", folder });
  const { body } = await client.get(`${v1}/${id}/repos`);
  expect(body).toMatchObject([
    {
      owner: "local",
      name: "agent",
      url: pathToFileURL(join(folder, "agent.git")).href,
      default_branch: "trunk",
    },
    { owner: "team", name: "inner", default_branch: "main" },
  ]);
  expect((await client.get(`${v1}/${id}/repos`)).body).toEqual(body);
});

test("creates only one integration even if its installation link is opened twice", async () => {
  const { client, plane } = await start();
  const { install_url, oauth_reuse_url } = (await client.post<InstallationLink>(`${v2}/installation-link`))
    .body;
  expect(oauth_reuse_url).toBeNull();
  expect((await client.get(`${v1}/install`)).body).toEqual([]);
  expect((await fetch(install_url)).status).toBe(200);
  expect((await fetch(install_url)).status).toBe(200);
  const list = (await client.get<Named[]>(`${v1}/install`)).body;
  expect(list).toHaveLength(1);
  expect((await fetch(`${plane.baseUrl}/v2/integrations/local/none`)).status).toBe(404);

  const forge = "/v2/integrations/forge-github/installation-link";
  const returning = (await client.post<InstallationLink>(forge, { return_to: "https://example.test/back" }))
    .body;
  const opened = await fetch(returning.install_url, { redirect: "manual" });
  expect([opened.status, opened.headers.get("location")]).toEqual([303, "https://example.test/back"]);
  for (const body of [undefined, {}, "null", { return_to: "javascript:alert(1)" }]) {
    const { status, body: answer } = await client.post<InstallationLink>(forge, body);
    expect([body, status]).toEqual([body, 200]);
    expect((await fetch(answer.install_url, { redirect: "manual" })).status).toBe(200);
  }
  expect((await client.post(forge, { return_to: 1 })).status).toBe(422);
});

test("keeps integrations across a restart, and only the configured ones after a reset", async () => {
  const state = temporaryFolder();
  const before = await start({ state, integrations: [{ name: "acme" }] });
  const { id } = (await before.client.get<Named[]>(`${v1}/install`)).body[0]!;
  const mine = before.plane.admin.seedIntegration({ name: "mine" });
  await before.plane.close();

  const { client, plane } = await start({ state, integrations: [{ name: "acme", repositories: [] }] });
  const ids = async (): Promise<string[]> =>
    (await client.get<Named[]>(`${v1}/install`)).body.map((one) => one.id);
  expect(await ids()).toEqual([id, mine]);
  plane.admin.removeIntegration(mine);
  expect(await ids()).toEqual([id]);
  await plane.admin.reset();
  expect(await ids()).toHaveLength(1);
});

test("seeds and removes integrations over HTTP", async () => {
  const { client } = await start({ admin: true });
  const { integrationId } = (await client.post<{ integrationId: string }>("/admin/integrations", acme)).body;
  expect(integrationId).toBe(acme.id);
  expect((await client.post("/admin/integrations", { name: "x", repos: [] })).status).toBe(422);
  expect((await client.delete(`/admin/integrations/${integrationId}`)).status).toBe(204);
  expect((await client.delete(`/admin/integrations/${integrationId}`)).status).toBe(404);
  expect((await client.get(`${v1}/install`)).body).toEqual([]);
});

test("records requests for integrations in the journal, and applies faults to them", async () => {
  const { client, plane } = await start();
  plane.admin.fault({ kind: "status", status: 503, path: `${v1}/install` });
  expect((await client.get(`${v1}/install`)).status).toBe(503);
  expect(plane.admin.journal()).toMatchObject([{ method: "GET", path: `${v1}/install`, status: 503 }]);
  expect((await client.post(`${v1}/install`)).status).toBe(405);
});
