"""Deploys a commit to staging, and promotes it to production once it is approved."""

import pulumi
import pulumi_agentserver as agentserver


def program() -> None:
    config = pulumi.Config()
    support = agentserver.Environments(
        "support",
        name="support",
        source="github",
        source_config={
            "repo_url": "https://github.com/example/support-agent",
            "deployment_type": "prod",
            "build_on_push": False,
        },
        source_revision_config={
            "repo_ref": config.require("commit"),
            "graph_config_path": "langgraph.json",
        },
        environment_variables={"GREETING": config.get("greeting") or "Hello"},
        rollout={"timeout": "1m", "on_failure": "rollback", "verify": {"ok": False}},
        environments=[
            {"environment": "staging"},
            {
                "environment": "production",
                "gate": {"approved": config.get("approved") or ""},
            },
        ],
    )
    pulumi.export("waiting", support.waiting)
