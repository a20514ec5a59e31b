import pulumi
import pulumi_agentserver as agentserver

shop = agentserver.AgentService(
    "shop",
    name="shop-agent",
    source="internal_source",
    source_config={"deployment_type": "serverless"},
    source_revision_config={"folder": "./agent"},
    rollout={
        "timeout": "10m",
        "on_failure": "rollback",
        "verify": {
            "graph": "agent",
            "evaluation": {
                "dataset": "evals/*.jsonl",
                "concurrency": 4,
                "pass_": 0.8,
                "no_worse_than": "previous",
                "judge": {
                    "assistant": "judge",
                    "instructions": "The answer must be polite.",
                },
            },
        },
    },
)

pulumi.export("url", shop.url)
pulumi.export("verified", shop.verified)
