import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import type { Deployment, Refused } from "../../answers";
import { clientOf, creationIn, start, stopAll } from "../client";
import { temporaryFolder } from "../folder";
import { sendThenRead } from "../send-then-read";
import { archiveOf, tarGz } from "./archive";
import { begin, create, offer, path, put, upload } from "./rig";

afterEach(stopAll);

const archive = archiveOf({ "langgraph.json": "{}", "src/agent.ts": "export {};" });
const missing = "00000000-0000-4000-8000-000000000000";

describe("an upload location", () => {
  test("is on the control plane, and is returned with instructions for the request", async () => {
    const { client, plane, id } = await begin();
    const { upload_url, object_path, upload_headers } = await offer(client, id);
    expect(upload_url.startsWith(`${plane.baseUrl}/${object_path}?`)).toBe(true);
    expect(upload_headers).toEqual({ "Content-Type": "application/gzip" });
    expect((await offer(client, id)).object_path).not.toBe(object_path);
  });

  test.each([[undefined], [{}], [{ supports_upload_headers: false }]])(
    "is returned without headers to clients that do not declare support for them: %j",
    async (body) => {
      const { client, id } = await begin();
      const answer = await client.post(`${path}/${id}/upload-url`, body);
      expect(answer).toMatchObject({ status: 200, body: { upload_headers: null } });
    },
  );

  test("contains the prefix of self-hosted installations if the request contained it", async () => {
    const { client, plane, id } = await begin();
    const { body } = await client.post<{ upload_url: string }>(`/api-host${path}/${id}/upload-url`, {});
    expect(body.upload_url.startsWith(`${plane.baseUrl}/api-host/uploads/`)).toBe(true);
    expect((await put(body.upload_url, archive)).status).toBe(200);
  });

  test("is not created for another source, another workspace, or a missing deployment", async () => {
    const { client, plane, id } = await begin();
    await client.post(path, creationIn("langsmith", "from-git"));
    const docker = await create(client, "from-docker", "internal_docker");
    const refused = await client.post<Refused>(`${path}/${docker}/upload-url`, {});
    expect(refused.status).toBe(400);
    expect(refused.body.detail).toMatch(/only available for 'internal_source' source deployments/);
    expect((await client.post(`${path}/${missing}/upload-url`, {})).status).toBe(404);
    expect((await clientOf(plane, { "X-Api-Key": "" }).post(`${path}/${id}/upload-url`, {})).status).toBe(
      401,
    );
  });

  test("is not created for a deployment that is being deleted", async () => {
    const { client, id } = await begin({ lingerSeconds: 60 });
    const { upload_url } = await offer(client, id);
    await client.delete(`${path}/${id}`);
    expect((await client.post(`${path}/${id}/upload-url`, {})).status).toBe(409);
    expect((await put(upload_url, archive)).status).toBe(409);
  });

  test("is not available in the interface dialect", async () => {
    const { client } = await start();
    expect((await client.post(`${path}/${missing}/upload-url`, {})).status).toBe(404);
  });
});

describe("an upload URL", () => {
  test("is valid for 15 minutes", async () => {
    const { client, clock, id } = await begin();
    const { upload_url } = await offer(client, id);
    await clock.advance(15 * 60_000 - 1);
    expect((await put(upload_url, archive)).status).toBe(200);
    await clock.advance(1);
    expect(await put(upload_url, archive)).toMatchObject({
      status: 403,
      text: expect.stringContaining("expired"),
    });
  });

  test.each([
    [
      "another upload",
      (url: URL) => (url.pathname = url.pathname.replace(/[0-9a-f-]{36}\.tar/, `${missing}.tar`)),
    ],
    [
      "another deployment",
      (url: URL) => (url.pathname = url.pathname.replace(/\/[0-9a-f-]{36}\//, `/${missing}/`)),
    ],
    ["a later expiry time", (url: URL) => url.searchParams.set("expires", "9999999999999")],
    ["no expiry time", (url: URL) => url.searchParams.delete("expires")],
    ["another token", (url: URL) => url.searchParams.set("token", "x".repeat(43))],
    ["no token", (url: URL) => url.searchParams.delete("token")],
    ["an unknown path", (url: URL) => (url.pathname = "/uploads/..%2f..%2fetc/passwd")],
  ])("is rejected if changed to contain %s", async (_what, change) => {
    const { client, id } = await begin();
    const url = new URL((await offer(client, id)).upload_url);
    change(url);
    expect(await put(url.href, archive)).toMatchObject({ status: 403 });
  });

  test("is rejected by other control planes", async () => {
    const [one, other] = [await begin(), await begin()];
    const { upload_url } = await offer(one.client, one.id);
    expect((await put(upload_url.replace(one.plane.baseUrl, other.plane.baseUrl), archive)).status).toBe(403);
  });

  test("appears in the journal without its token and without the archive", async () => {
    const { client, plane, id } = await begin();
    const { upload_url } = await offer(client, id);
    await put(upload_url, archive);
    const [entry] = plane.admin.journal({ method: "PUT" });
    expect(entry).toMatchObject({ status: 200, body: "[an upload]", query: { token: "[masked]" } });
    const token = new URL(upload_url).searchParams.get("token")!;
    expect(JSON.stringify(plane.admin.journal())).not.toContain(token);
  });

  test("is subject to injected faults", async () => {
    const { client, plane, id } = await begin();
    const { upload_url } = await offer(client, id);
    plane.admin.fault({ kind: "status", status: 503, method: "PUT", path: "/uploads/:deployment/:archive" });
    expect((await put(upload_url, archive)).status).toBe(503);
    expect((await put(upload_url, archive)).status).toBe(200);
  });
});

describe("an uploaded archive", () => {
  test("is rejected without the gzip content type", async () => {
    const { client, id } = await begin();
    const { upload_url } = await offer(client, id);
    expect((await put(upload_url, archive, { "content-type": "application/json" })).status).toBe(415);
  });

  test("is rejected immediately if its declared length exceeds 200 MiB", async () => {
    const { client, id } = await begin();
    const { upload_url } = await offer(client, id);
    const headers = { "content-type": "application/gzip", "content-length": 200 * 1024 * 1024 + 1 };
    const status = await new Promise((resolve, reject) => {
      const sent = request(upload_url, { method: "PUT", headers }, (answer) => resolve(answer.statusCode));
      sent.on("error", reject);
      // The body is never sent.
      sent.flushHeaders();
    });
    expect(status).toBe(413);
  });

  test("is rejected with the reason, and leaves no files", async () => {
    const state = temporaryFolder();
    const { client, id } = await begin({ state });
    const { upload_url, object_path } = await offer(client, id);
    const hostile = tarGz([
      { path: "ok.txt", text: "ok" },
      { path: "../../escaped", text: "no" },
    ]);
    const { status, text } = await put(upload_url, hostile);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toEqual({
      detail: "The archive was rejected: '../../escaped' points outside the archive ('..').",
    });
    expect(readdirSync(join(state, "unpacking"))).toEqual([]);
    expect(existsSync(join(state, "deployments", id, "uploads"))).toBe(false);
    const change = { source_revision_config: { source_tarball_path: object_path } };
    expect((await client.patch(`${path}/${id}`, change)).status).toBe(400);
  });

  test("is rejected with a readable response while the client is still sending", async () => {
    const { client, id } = await begin();
    const { upload_url } = await offer(client, id);
    const refused = Buffer.alloc(40 * 1024 * 1024, "not an archive");
    const wrongToken = upload_url.replace(/token=[^&]*/, "token=x");
    for (const [url, sent, announced, status] of [
      [upload_url, refused, refused.length, 400],
      [upload_url, refused.subarray(0, 70_000), refused.length, 400],
      [wrongToken, refused, refused.length, 403],
    ] as const) {
      const headers = { "content-type": "application/gzip" };
      const answer = await sendThenRead({ url, method: "PUT", headers, sent, announced });
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(JSON.parse(answer.split("\r\n\r\n")[1]!)).toEqual({ detail: expect.any(String) });
    }
    expect((await put(upload_url, archive)).status).toBe(200);
  });

  test("leaves no files if the upload is interrupted", async () => {
    const state = temporaryFolder();
    const { client, id, faults } = await begin({ state });
    const { upload_url } = await offer(client, id);
    const headers = { "content-type": "application/gzip", "content-length": archive.length };
    const sent = request(upload_url, { method: "PUT", headers });
    sent.on("error", () => undefined);
    sent.write(archive.subarray(0, 20));
    await new Promise<void>((resolve) => {
      const seen = setInterval(() => {
        if (!existsSync(join(state, "unpacking")) || readdirSync(join(state, "unpacking")).length === 0)
          return;
        clearInterval(seen);
        resolve();
      }, 5);
    });
    sent.destroy();
    await stopAll();
    expect(readdirSync(join(state, "unpacking"))).toEqual([]);
    expect(faults).toEqual([]);
  });
});

test("removes unfinished uploads of a killed control plane at the next start", async () => {
  const state = temporaryFolder();
  mkdirSync(join(state, "unpacking", "half"), { recursive: true });
  writeFileSync(join(state, "unpacking", "half", "a.txt"), "half");
  await begin({ state });
  await stopAll();
  expect(readdirSync(join(state, "unpacking"))).toEqual([]);
});

describe("an upload", () => {
  test("is replaced by another upload to the same URL until a revision uses it", async () => {
    const state = temporaryFolder();
    const { client, id } = await begin({ state });
    const { upload_url, object_path } = await offer(client, id);
    await put(upload_url, archiveOf({ "a.txt": "first", "gone.txt": "" }));
    expect((await put(upload_url, archiveOf({ "a.txt": "second" }))).status).toBe(200);
    const [kept] = readdirSync(join(state, "deployments", id, "uploads"));
    const folder = join(state, "deployments", id, "uploads", kept!);
    expect(readdirSync(folder)).toEqual(["a.txt"]);
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("second");
    await client.patch(`${path}/${id}`, { source_revision_config: { source_tarball_path: object_path } });
    expect((await put(upload_url, archiveOf({ "a.txt": "third" }))).status).toBe(409);
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("second");
    expect(readdirSync(join(state, "unpacking"))).toEqual([]);
  });

  test("results in a revision with the specified configuration", async () => {
    const { client, clock, id } = await begin();
    const source_tarball_path = await upload(client, id, archive);
    const change = {
      revision_source: "internal_source",
      source_revision_config: { source_tarball_path, langgraph_config_path: "langgraph.json" },
      source_config: { install_command: "npm ci" },
      secrets: [],
      tracked_packages: ["langchain"],
    };
    const { status, body } = await client.patch<Deployment>(`${path}/${id}`, change);
    expect(status).toBe(200);
    expect(body.latest_revision_id).toEqual(expect.any(String));
    expect(body.source_revision_config).toMatchObject({
      source_tarball_path,
      langgraph_config_path: "langgraph.json",
    });
    await clock.advance(20_000);
    expect((await client.get(`${path}/${id}/revisions/${body.latest_revision_id}`)).body).toMatchObject({
      status: "DEPLOYED",
      source_revision_config: { source_tarball_path },
    });
  });

  test.each([
    [
      "to which nothing has been uploaded",
      async (rig: Awaited<ReturnType<typeof begin>>) => (await offer(rig.client, rig.id)).object_path,
    ],
    [
      "of another deployment",
      async (rig: Awaited<ReturnType<typeof begin>>) =>
        upload(rig.client, await create(rig.client, "other"), archive),
    ],
    ["that is unknown", () => Promise.resolve("archives/1.tar.gz")],
    [
      "that leads to another folder",
      (rig: Awaited<ReturnType<typeof begin>>) => Promise.resolve(`uploads/${rig.id}/../../data`),
    ],
    ["that is empty", () => Promise.resolve("")],
  ])("is rejected with 400, and changes nothing, if its path is one %s", async (_what, pathOf) => {
    const rig = await begin();
    const source_tarball_path = await pathOf(rig);
    const change = { display_name: "changed", source_revision_config: { source_tarball_path } };
    for (const answer of [
      await rig.client.patch<Refused>(`${path}/${rig.id}`, change),
      await rig.client.post<Refused>(`${path}/${rig.id}/revisions`, {
        source_revision_config: { source_tarball_path },
      }),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.body.detail).toMatch(
        /^Source configuration error: 'source_revision_config.source_tarball_path' /,
      );
    }
    const { body } = await rig.client.get<Deployment & { display_name: unknown }>(`${path}/${rig.id}`);
    expect(body).toMatchObject({ display_name: null, latest_revision_id: null });
  });

  test("is rejected in a create request", async () => {
    const { client, id } = await begin();
    const source_tarball_path = await upload(client, id, archive);
    const body = { name: "other", source: "internal_source", source_config: {}, secrets: [] };
    const answer = await client.post(path, { ...body, source_revision_config: { source_tarball_path } });
    expect(answer.status).toBe(400);
  });

  test("survives a restart together with its URL", async () => {
    const state = temporaryFolder();
    const before = await begin({ state });
    const waiting = await offer(before.client, before.id);
    const source_tarball_path = await upload(before.client, before.id, archive);
    await stopAll();
    const { client } = await start({ state, dialect: "langsmith" });
    const change = { source_revision_config: { source_tarball_path } };
    expect((await client.patch(`${path}/${before.id}`, change)).status).toBe(200);
    expect((await put(waiting.upload_url, archive)).status).toBe(200);
  });

  test("is deleted with its deployment", async () => {
    const state = temporaryFolder();
    const { client, id } = await begin({ state });
    const { upload_url } = await offer(client, id);
    await upload(client, id, archive);
    await client.delete(`${path}/${id}`);
    expect(readdirSync(join(state, "deployments"))).toEqual([]);
    expect((await put(upload_url, archive)).status).toBe(404);
    expect(readdirSync(join(state, "deployments"))).toEqual([]);
  });
});
