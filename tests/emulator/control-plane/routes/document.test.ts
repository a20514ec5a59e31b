import type { ApiDocument } from "../../answers";
import { dialectNames, dialectTables } from "../../../../wire";
import { creationIn, start, stopAll } from "../client";

afterEach(stopAll);

test("lists the endpoints", async () => {
  const { client } = await start();
  const { body } = await client.get<ApiDocument>("/openapi.json");
  expect(body).toMatchObject({ openapi: "3.1.0", info: { version: "0.1.0" }, servers: [{ url: "/" }] });
  const operations = Object.entries<object>(body.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(operations).toEqual(
    expect.arrayContaining([
      "DELETE /v2/deployments/{deployment_id}",
      "GET /v2/deployments",
      "GET /v2/deployments/{deployment_id}",
      "GET /v2/deployments/{deployment_id}/revisions",
      "GET /v2/deployments/{deployment_id}/revisions/{revision_id}",
      "GET /v2/deployments/{deployment_id}/revisions/{revision_id}/logs",
      "PATCH /v2/deployments/{deployment_id}",
      "POST /v2/auth/authenticate",
      "POST /v2/deployments",
    ]),
  );
});

describe.each(dialectNames)("in the %s dialect", (name) => {
  const table = dialectTables[name];
  const { fields } = table;

  test("describes the same schemas as those that validate requests", async () => {
    const { client } = await start({ dialect: name });
    const { schemas } = (await client.get<ApiDocument>("/openapi.json")).body.components;
    const fieldsIn = (schema: string): string[] => Object.keys(schemas[schema]!.properties).sort();
    expect(fieldsIn("DeploymentCreateRequest")).toEqual([...fields.create].sort());
    expect(fieldsIn("DeploymentPatchRequest")).toEqual([...fields.patch].sort());
    expect(fieldsIn("SourceConfig")).toEqual([...fields.sourceConfig].sort());
    expect(fieldsIn("SourceRevisionConfig")).toEqual([...fields.sourceRevisionConfig].sort());
    // The fields that the server reports as missing are exactly those that the document requires.
    const { required } = schemas.DeploymentCreateRequest!;
    expect([...required].sort()).toEqual([...table.requiredOnCreate].sort());
    // A name is required because none of these bodies specifies an agent.
    const needed = [...required, "name"];
    for (const field of fields.create) {
      const body = creationIn(name, `without-${field}`, { [field]: undefined });
      const { status } = await client.post("/v2/deployments", body);
      expect([field, status]).toEqual([field, needed.includes(field) ? 422 : 201]);
    }
  });

  test("uses the dialect's name for the field with the graph configuration path", async () => {
    const { client } = await start({ dialect: name });
    const text = JSON.stringify((await client.get("/openapi.json")).body);
    expect(text.includes('"langgraph_config_path"')).toBe(name === "langsmith");
    expect(text.includes('"graph_config_path"')).toBe(name === "interface");
  });
});

test("contains every referenced schema", async () => {
  const { client } = await start();
  const { body } = await client.get<ApiDocument>("/openapi.json");
  const named = [...JSON.stringify(body).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name);
  expect(Object.keys(body.components.schemas)).toEqual(expect.arrayContaining(named));
  const schemes = Object.keys(body.components.securitySchemes);
  expect(
    body.paths["/v2/auth/authenticate"]!.post!.security.map((one: object) => Object.keys(one)[0]),
  ).toEqual(schemes);
});

test("omits hidden fields", async () => {
  const { client } = await start();
  const { schemas } = (await client.get<ApiDocument>("/openapi.json")).body.components;
  expect(Object.keys(schemas.AuthAuthenticateRequest!.properties)).toEqual(
    expect.arrayContaining(["user_id", "ls_user_id", "agent_id", "provider", "scopes"]),
  );
  expect(schemas.AuthAuthenticateRequest!.properties).not.toHaveProperty("use_agent_builder_public_oauth");
});

test("is available without a key as JSON and as a page, with and without the prefix", async () => {
  const { plane } = await start();
  const prefixed = await fetch(`${plane.baseUrl}/api-host/openapi.json`);
  expect(await prefixed.json()).toMatchObject({ servers: [{ url: "/api-host" }] });
  for (const prefix of ["", "/api-host"]) {
    const page = await fetch(`${plane.baseUrl}${prefix}/docs`);
    const text = await page.text();
    expect(page.status).toBe(200);
    expect(text).toContain("/v2/deployments/{deployment_id}/revisions");
    expect(text).not.toMatch(/src=|<link|@import/);
    expect(await (await fetch(`${plane.baseUrl}${prefix}/ok`)).json()).toEqual({ ok: true });
  }
});

test.each([
  ["interface", false],
  ["langsmith", true],
] as const)("states whether a key alone is sufficient in the %s dialect: %s", async (dialect, isEnough) => {
  const { client, plane } = await start({ dialect });
  const { body } = await client.get<ApiDocument>("/openapi.json");
  const schemes = body.paths["/v2/deployments"]!.get!.security.map((one: object) => Object.keys(one));
  expect(schemes.some((names) => names.join() === "API Key")).toBe(isEnough);
  const answer = await fetch(`${plane.baseUrl}/v2/deployments`, { headers: { "x-api-key": plane.apiKey } });
  expect(answer.status).toBe(isEnough ? 200 : 403);
});
