import * as pulumi from "@pulumi/pulumi";
import { Deployment, Listener } from "pulumi-agentserver";

const config = new pulumi.Config();

const listener = new Listener("cluster", { computeId: "agents-eu", namespaces: ["agents"] });

const agent = new Deployment("agent", {
  name: "self-hosted",
  source: "external_docker",
  sourceConfig: {
    listenerId: listener.id,
    listenerConfig: { k8sNamespace: "agents" },
    resourceSpec: { cpu: 1, memoryMb: 1024, minScale: 1, maxScale: 2 },
  },
  sourceRevisionConfig: { imageUri: config.require("image") },
  rollout: { timeout: "5m" },
});

export const listenerId = listener.id;
export const url = agent.url;
