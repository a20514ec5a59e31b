"""Uses the graphs of a deployment as tools, with the official MCP client."""

import asyncio
import json
import os

import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

url = os.environ["AGENT_URL"]
headers = {"X-Api-Key": os.environ["AGENT_API_KEY"]}


def says(content: str) -> dict:
    return {"messages": [{"role": "user", "content": content}]}


def state(result) -> dict:
    assert not result.is_error, result
    return json.loads(result.content[0].text)


async def use_tools(path: str, mode: str) -> None:
    async with httpx2.AsyncClient(headers=headers, timeout=240) as http:
        transport = streamable_http_client(url + path, http_client=http)
        async with Client(transport, mode=mode) as client:
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == ["agent"], tools
            assert "messages" in json.dumps(tools[0].input_schema)

            answer = state(await client.call_tool("agent", says("hi")))
            assert [message["content"] for message in answer["messages"]] == ["hi", "heard hi"], answer

            # If a graph asks a question, the result contains the question.
            asking = state(await client.call_tool("agent", says("ask")))
            assert [question["value"] for question in asking["__interrupt__"]] == ["what?"], asking

            failed = await client.call_tool("agent", says("fail"))
            assert failed.is_error and "asked to fail" in failed.content[0].text, failed
            try:
                await client.call_tool("none", {})
            except MCPError as error:
                assert 'There is no tool "none".' in str(error), error
            else:
                raise AssertionError("a tool that does not exist was called")


async def main() -> None:
    # "auto" tries the newest version of the protocol first; "legacy" starts in the same way as older clients.
    await use_tools("/mcp/", "auto")
    await use_tools("/mcp", "legacy")


asyncio.run(main())
