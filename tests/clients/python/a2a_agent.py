"""Uses a deployment as an agent that other agents call, with the official A2A client."""

import asyncio
import json
import os
import uuid

import httpx
from a2a.client import A2ACardResolver, Client, ClientConfig, ClientFactory
from a2a.types import (
    AgentCard,
    CancelTaskRequest,
    GetTaskRequest,
    ListTasksRequest,
    Message,
    Part,
    Role,
    SendMessageConfiguration,
    SendMessageRequest,
    StreamResponse,
    Task,
    TaskState,
)
from a2a.utils.errors import TaskNotCancelableError, TaskNotFoundError
from google.protobuf.json_format import MessageToDict

url = os.environ["AGENT_URL"]
headers = {"X-Api-Key": os.environ["AGENT_API_KEY"]}
card_path = "/.well-known/agent-card.json?assistant_id=agent"


def saying(text: str, *, wait: bool = True, **more: str) -> SendMessageRequest:
    message = Message(message_id=str(uuid.uuid4()), role=Role.ROLE_USER, parts=[Part(text=text)], **more)
    return SendMessageRequest(
        message=message, configuration=SendMessageConfiguration(return_immediately=not wait)
    )


async def events(client: Client, request: SendMessageRequest) -> list[StreamResponse]:
    return [event async for event in client.send_message(request)]


async def send(client: Client, request: SendMessageRequest) -> Task:
    (event,) = await events(client, request)
    return event.task


def content(task: Task) -> str:
    return json.dumps(MessageToDict(task.artifacts[0].parts[0]))


async def use_agent(http: httpx.AsyncClient, card: AgentCard, version: str) -> None:
    waiting = ClientFactory(ClientConfig(httpx_client=http, streaming=False)).create(card)
    streaming = ClientFactory(ClientConfig(httpx_client=http)).create(card)

    first = await send(waiting, saying("hi"))
    assert first.status.state == TaskState.TASK_STATE_COMPLETED, first
    assert "heard hi" in content(first), first
    again = await send(waiting, saying("again", context_id=first.context_id))
    assert again.context_id == first.context_id and again.id != first.id
    assert (await waiting.get_task(GetTaskRequest(id=first.id))).artifacts == first.artifacts
    try:
        await waiting.get_task(GetTaskRequest(id=str(uuid.uuid4())))
    except TaskNotFoundError:
        pass
    else:
        raise AssertionError("a task was found that does not exist")

    seen = await events(streaming, saying("hi"))
    kinds = [event.WhichOneof("payload") for event in seen]
    assert kinds[0] == "task" and "artifact_update" in kinds and kinds[-1] == "status_update", kinds
    assert seen[-1].status_update.status.state == TaskState.TASK_STATE_COMPLETED, seen[-1]

    asking = await send(waiting, saying("ask"))
    assert asking.status.state == TaskState.TASK_STATE_INPUT_REQUIRED, asking
    assert "what?" in content(asking), asking
    told = await send(waiting, saying("forty-two", task_id=asking.id, context_id=asking.context_id))
    assert told.id == asking.id and "told forty-two" in content(told), told

    failed = await send(waiting, saying("fail"))
    assert failed.status.state == TaskState.TASK_STATE_FAILED, failed
    assert "asked to fail" in failed.status.message.parts[0].text, failed

    endless = await send(waiting, saying("endlessly", wait=False))
    while (await waiting.get_task(GetTaskRequest(id=endless.id))).status.state != TaskState.TASK_STATE_WORKING:
        pass
    cancelled = await waiting.cancel_task(CancelTaskRequest(id=endless.id))
    assert cancelled.status.state == TaskState.TASK_STATE_CANCELED, cancelled
    try:
        await waiting.cancel_task(CancelTaskRequest(id=endless.id))
    except TaskNotCancelableError:
        pass
    else:
        raise AssertionError("a task was cancelled twice")

    if version == "1.0":
        listed = await waiting.list_tasks(ListTasksRequest(context_id=first.context_id))
        assert [task.id for task in listed.tasks] == [again.id, first.id], listed


async def main() -> None:
    async with httpx.AsyncClient(headers=headers, timeout=240) as http:
        card = await A2ACardResolver(http, url, card_path).get_agent_card()
        versions = [interface.protocol_version for interface in card.supported_interfaces]
        assert versions == ["1.0", "0.3"], versions
        await use_agent(http, card, "1.0")
        # The card that clients see if they support only the older version.
        older = AgentCard()
        older.CopyFrom(card)
        del older.supported_interfaces[0]
        await use_agent(http, older, "0.3")


asyncio.run(main())
