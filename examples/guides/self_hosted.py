import pulumi
import pulumi_agentserver as agentserver

config = pulumi.Config()

listener = agentserver.Listener(
    "cluster", compute_id="agents-eu", namespaces=["agents"]
)

agent = agentserver.Deployment(
    "agent",
    name="self-hosted",
    source="external_docker",
    source_config={
        "listener_id": listener.id,
        "listener_config": {"k8s_namespace": "agents"},
        "resource_spec": {"cpu": 1, "memoryMb": 1024, "minScale": 1, "maxScale": 2},
    },
    source_revision_config={"image_uri": config.require("image")},
    rollout={"timeout": "5m"},
)

pulumi.export("listenerId", listener.id)
pulumi.export("url", agent.url)
