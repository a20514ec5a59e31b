import { detectDialect, dialectNameIn, dialectOf } from "../../../../provider/control-plane/dialects";
import { dialectNames } from "../../../../wire";
import { World } from "../../world";

test.each(dialectNames)("recognizes the local control plane by its OpenAPI document: %s", async (dialect) => {
  const world = await World.start({ dialect });
  expect(detectDialect(await world.request("GET", "/openapi.json")).name).toBe(dialect);
  expect(detectDialect(await world.request("GET", "/api-host/openapi.json")).name).toBe(dialect);
});

/** Returns an OpenAPI document in which the body of a create request has this schema. */
function document(schema: object, path = "/v2/deployments") {
  return {
    paths: { [path]: { post: { requestBody: { content: { "application/json": { schema } } } } } },
    components: {
      schemas: {
        Create: {
          properties: { source_revision_config: { anyOf: [{ $ref: "#/components/schemas/Source" }] } },
        },
        Source: {
          properties: { langgraph_config_path: {}, itself: { $ref: "#/components/schemas/Source" } },
        },
      },
    },
  };
}

test.each([
  ["in a referenced schema", document({ $ref: "#/components/schemas/Create" }), "langsmith"],
  ["inline", document({ properties: { a: { properties: { langgraph_config_path: {} } } } }), "langsmith"],
  [
    "under a path prefix",
    document({ $ref: "#/components/schemas/Create" }, "/api-host/v2/deployments"),
    "langsmith",
  ],
  ["only in a schema that no create uses", document({ properties: { name: {} } }), "interface"],
  ["only in a description", document({ description: "langgraph_config_path" }), "interface"],
  ["nowhere because a reference is broken", document({ $ref: "#/components/schemas/Missing" }), "interface"],
  ["nowhere because there is no document", undefined, "interface"],
  ["nowhere because the document has no paths", { openapi: "3.1.0" }, "interface"],
])("detects the dialect if the configuration path is defined %s", (_where, description, dialect) => {
  expect(detectDialect(description).name).toBe(dialect);
});

test("rejects an unknown name, and lists the known ones", () => {
  expect(() => dialectNameIn("english", "agentserver:dialect")).toThrow(
    /is "english"; it must be interface or langsmith/,
  );
  expect(() => dialectNameIn("toString", "agentserver:dialect")).toThrow(/must be interface or langsmith/);
  expect(() => dialectOf("english")).toThrow(/update pulumi-agentserver/);
});
