import {
  createDeploymentBody,
  wireSourceConfig,
  wireSourceRevisionConfig,
} from "../../../provider/control-plane/wire";
import { creation, start, stopAll } from "./client";

afterEach(stopAll);

const fieldsOf = (schema: { shape: object }): string[] => Object.keys(schema.shape).sort();

test("the document names the endpoints and nothing else", async () => {
  const { client } = await start();
  const { body } = await client.get("/openapi.json");
  expect(body).toMatchObject({ openapi: "3.1.0", info: { version: "0.1.0" }, servers: [{ url: "/" }] });
  const operations = Object.entries<object>(body.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(operations.sort()).toEqual([
    "DELETE /v2/deployments/{deployment_id}",
    "GET /v2/deployments",
    "GET /v2/deployments/{deployment_id}",
    "GET /v2/deployments/{deployment_id}/revisions",
    "GET /v2/deployments/{deployment_id}/revisions/{revision_id}",
    "GET /v2/deployments/{deployment_id}/revisions/{revision_id}/logs",
    "PATCH /v2/deployments/{deployment_id}",
    "POST /v2/auth/authenticate",
    "POST /v2/deployments",
  ]);
});

test("its schemas are those that validate", async () => {
  const { client } = await start();
  const { schemas } = (await client.get("/openapi.json")).body.components;
  const create = schemas.DeploymentCreateRequest;
  expect(Object.keys(create.properties).sort()).toEqual(fieldsOf(createDeploymentBody));
  expect(Object.keys(schemas.SourceConfig.properties).sort()).toEqual(fieldsOf(wireSourceConfig));
  expect(Object.keys(schemas.SourceRevisionConfig.properties).sort()).toEqual(
    fieldsOf(wireSourceRevisionConfig),
  );
  // What the document requires is what the server misses, field by field.
  for (const field of fieldsOf(createDeploymentBody)) {
    const { status } = await client.post(
      "/v2/deployments",
      creation(`without-${field}`, { [field]: undefined }),
    );
    expect([field, status]).toEqual([field, create.required.includes(field) ? 422 : 201]);
  }
});

test("every schema that is referred to is there", async () => {
  const { client } = await start();
  const { body } = await client.get("/openapi.json");
  const named = [...JSON.stringify(body).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name);
  expect(Object.keys(body.components.schemas)).toEqual(expect.arrayContaining(named));
  const schemes = Object.keys(body.components.securitySchemes);
  expect(body.paths["/v2/auth/authenticate"].post.security.map((one: object) => Object.keys(one)[0])).toEqual(
    schemes,
  );
});

test("what clients tell the dialect by is there, and what is hidden is not", async () => {
  const { client } = await start();
  const { schemas } = (await client.get("/openapi.json")).body.components;
  expect(schemas.SourceRevisionConfig.properties).toHaveProperty("graph_config_path");
  expect(schemas.SourceRevisionConfig.properties).not.toHaveProperty("langgraph_config_path");
  expect(Object.keys(schemas.AuthAuthenticateRequest.properties)).toEqual(
    expect.arrayContaining(["user_id", "ls_user_id", "agent_id", "provider", "scopes"]),
  );
  expect(schemas.AuthAuthenticateRequest.properties).not.toHaveProperty("use_agent_builder_public_oauth");
});

test("the document and its page are open, under the prefix too, and fetch nothing", async () => {
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
