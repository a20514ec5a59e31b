import { Deployment, getDeployment } from "pulumi-agentserver";

const source = {
  source: "github",
  sourceConfig: { repoUrl: "https://github.com/example/agents", deploymentType: "prod" },
  sourceRevisionConfig: { repoRef: "v1.4.0", graphConfigPath: "langgraph.json" },
} as const;

export = async () => {
  const first = new Deployment("first", { ...source, name: "first-agent" });
  const { url } = await getDeployment({ name: "first-agent" }); // read during the preview, so it is always known
  const second = new Deployment(
    "second",
    { ...source, name: "second-agent", secrets: { UPSTREAM_URL: url! } },
    { dependsOn: first },
  );
  return { url: second.url };
};
