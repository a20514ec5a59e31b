import { Deployment, Listener } from "pulumi-agentserver";

const cluster = new Listener("cluster", { computeId: "agents-cluster", namespaces: ["support"] });

const agent = new Deployment("agent", {
  name: "self-hosted",
  source: "external_docker",
  sourceConfig: {
    listenerId: cluster.id,
    listenerConfig: { k8sNamespace: "support" },
    resourceSpec: { cpu: 1, memoryMb: 2048, minScale: 1, maxScale: 3 },
  },
  sourceRevisionConfig: { imageUri: "registry.example.com/agents/support:1.4.0" },
  secretReferences: { MODEL_API_KEY: { secretName: "models", secretKey: "api-key" } },
  rollout: { timeout: "10m" },
});

export const listenerId = cluster.id;
export const url = agent.url;
