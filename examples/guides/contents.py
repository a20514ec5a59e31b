import pulumi
import pulumi_agentserver as agentserver

agent = agentserver.Deployment(
    "agent",
    name="support-agent",
    source="internal_source",
    source_config={"deployment_type": "serverless"},
    source_revision_config={"folder": "./agent"},
    rollout={"verify": {"graph": "agent"}},
)
deployment = agentserver.DeploymentReferenceArgs(id=agent.id, url=agent.url)

brief = agentserver.Assistant(
    "brief",
    deployment=deployment,
    graph="agent",
    name="Brief",
    context={"style": "brief"},
    metadata={"team": "support"},
)

inbox = agentserver.Thread(
    "inbox", deployment=deployment, graph="agent", metadata={"purpose": "inbox"}
)

report = agentserver.Cron(
    "report",
    deployment=deployment,
    assistant=brief.assistant_id,
    schedule="0 9 * * 1-5",
    timezone="Europe/Berlin",
    input={"messages": [{"role": "user", "content": "Write the report."}]},
    on_run_completed="keep",
)

tone = agentserver.StoreItem(
    "tone",
    deployment=deployment,
    namespace=["guidelines"],
    key="tone",
    value={"text": "Friendly, and brief."},
)

handbook = agentserver.StoreItems(
    "handbook", deployment=deployment, namespace=["handbook"], folder="./handbook"
)

smoke = agentserver.Run(
    "smoke",
    deployment=deployment,
    assistant=brief.assistant_id,
    input={"messages": [{"role": "user", "content": "Hello"}]},
    triggers=[agent.latest_revision_id],
)

pulumi.export("nextRuns", report.next_runs)
pulumi.export("threadId", inbox.thread_id)
pulumi.export("items", [tone.key, handbook.item_hashes])
pulumi.export("answer", smoke.output)
