import { createDeploymentBody, createRevisionBody, deploymentRecord, patchDeploymentBody } from "../../wire";
import { World } from "../provider/world";

const secrets = [{ name: "A", value: "sup3rsecret\0tail" }];
const creation = { name: "agent", source: "github", source_config: {}, source_revision_config: {}, secrets };

test.each([
  ["create", createDeploymentBody, creation],
  ["PATCH", patchDeploymentBody, { secrets }],
  ["revision", createRevisionBody, { secrets }],
])("rejects the body of a %s request if a secret contains a null byte", (_what, schema, body) => {
  const { error } = schema.safeParse(body);
  expect(error?.issues).toMatchObject([
    { path: ["secrets", 0, "value"], message: "Value should not contain a null byte" },
  ]);
});

test("accepts a deployment record whose secret contains a null byte", () => {
  expect(deploymentRecord.parse({ id: "d", secrets })).toEqual({ id: "d", secrets });
});

test("responds with 422 to a secret with a null byte, and does not repeat the value", async () => {
  const { plane } = await World.start();
  const answer = await fetch(`${plane.baseUrl}/v2/deployments`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": plane.apiKey, "x-tenant-id": plane.tenantId },
    body: JSON.stringify(creation),
  });
  expect(answer.status).toBe(422);
  const text = await answer.text();
  expect(text).toContain('"loc":["body","secrets",0,"value"]');
  expect(text).not.toContain("sup3rsecret");
});
