import pulumi
import pulumi_agentserver as agentserver

support = agentserver.AgentService(
    "support",
    name="support-agent",
    source="internal_source",
    source_config={"deployment_type": "serverless"},
    source_revision_config={"folder": "./agent"},
    rollout={"verify": {"graph": "agent"}},
    assistants={"writer": {"graph": "agent", "name": "Report writer"}},
    crons={
        "weekday": {
            "assistant": "writer",
            "schedule": "0 9 * * 1-5",
            "timezone": "Europe/Berlin",
            "input": {"messages": [{"role": "user", "content": "yesterday's orders"}]},
            "on_run_completed": "keep",
        },
    },
    memory={"handbook": {"namespace": ["handbook"], "folder": "./handbook"}},
)

pulumi.export("url", support.url)
pulumi.export("nextRuns", support.crons.apply(lambda crons: crons["weekday"].next_runs))
