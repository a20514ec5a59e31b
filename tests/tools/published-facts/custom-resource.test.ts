import { extractManifestFacts, type Structural } from "../../../tools/published-facts/custom-resource";

test("extracts the current schema without prose and controller fields", () => {
  const prose = { description: "Sentences that are not ours." };
  const version = (name: string, storage: boolean, properties: Record<string, Structural>) => ({
    name,
    storage,
    schema: {
      openAPIV3Schema: {
        ...prose,
        type: "object",
        properties: {
          spec: { ...prose, type: "object", properties, required: ["image"] },
          status: { type: "object" },
        },
      },
    },
  });
  const facts = extractManifestFacts({
    kind: "CustomResourceDefinition",
    spec: {
      group: "example.com",
      names: { kind: "Thing" },
      versions: [
        version("v1alpha1", false, {}),
        version("v1", true, {
          // This is a field with the name `description`, so it is not prose.
          description: { ...prose, type: "string" },
          image: { type: "string", pattern: "^[a-z]+$" },
          labels: { additionalProperties: { ...prose, type: "string" } },
          ports: { type: "array", items: { ...prose, type: "integer" } },
        }),
      ],
    },
  });
  expect(facts).toEqual({
    kind: "Thing",
    apiVersion: "example.com/v1",
    schema: {
      type: "object",
      properties: {
        spec: {
          type: "object",
          required: ["image"],
          properties: {
            description: { type: "string" },
            image: { type: "string", pattern: "^[a-z]+$" },
            labels: { additionalProperties: { type: "string" } },
            ports: { type: "array", items: { type: "integer" } },
          },
        },
      },
    },
  });
});
