import * as pulumi from "@pulumi/pulumi";
import { withoutEngine } from "../program";
import { findServed } from "../../../sdk/components/served";
import type { Deployment } from "../../emulator/answers";
import { World } from "../../provider/world";

afterEach(() => pulumi.runtime.setAllConfig({}));

test("reports the commit that a repository serves, not the image it was built into", async () => {
  const world = await World.start({ dialect: "langsmith" });
  pulumi.runtime.setAllConfig({
    "agentserver:baseUrl": world.plane.baseUrl,
    "agentserver:apiKey": world.plane.apiKey,
    "agentserver:tenantId": world.plane.tenantId,
  });
  const commit = "c".repeat(40);
  const { id } = (await world.request("POST", "/v2/deployments", {
    name: "support-agent-production",
    source: "github",
    source_config: {
      repo_url: "https://git.example.com/agents.git",
      deployment_type: "prod",
      build_on_push: false,
    },
    source_revision_config: { repo_ref: commit, langgraph_config_path: "langgraph.json" },
    secrets: [],
  })) as Deployment;
  await world.clock.advance(60_000);
  const record = await world.request("GET", `/v2/deployments/${id}`);
  expect(record).toMatchObject({
    source_revision_config: { repo_ref: commit, image_uri: expect.stringContaining("@sha256:") },
  });
  await withoutEngine();
  const component = new pulumi.ComponentResource("shop:index:Team", "sales");
  const serves = { artifact: commit, graphConfigPath: "langgraph.json" };
  expect(await findServed("support-agent-production", "github", component)).toEqual(serves);
});
