import type { Thread } from "../answers";
import { saying, versatileAgent } from "./agent";
import { revise, runDeployment } from "./deployment";

test("ends streams and pending requests with an error if a new revision interrupts them", async () => {
  const printed = jest.spyOn(console, "error").mockImplementation(() => undefined);
  const { plane, url, client, repository } = await runDeployment();
  const thread = (await client.post<Thread>("/threads")).body.thread_id;
  const post = (path: string, body: object = saying("endlessly")) =>
    fetch(url + path, {
      method: "POST",
      headers: { "x-api-key": plane.apiKey, "content-type": "application/json", accept: "*/*" },
      body: JSON.stringify(body),
    });
  const message = { messageId: "1", role: "user", parts: [{ kind: "text", text: "endlessly" }] };
  const rpc = { jsonrpc: "2.0", id: 7, method: "message/stream", params: { message } };
  const agent = (await post("/a2a/agent", rpc)).text();
  const headers = { "x-api-key": plane.apiKey };
  const streams = [
    await post(`/threads/${thread}/runs/stream`),
    await post("/runs/stream"),
    await fetch(`${url}/threads/${thread}/stream`, { headers }),
  ];
  const waits = [await post("/runs/wait")];
  const read = Promise.all([...streams, ...waits].map((answer) => answer.text()));
  repository.commit(versatileAgent("two"));
  await revise(plane, url);
  const texts = await read;
  for (const text of texts.slice(0, streams.length))
    expect(text).toMatch(/event: error\ndata: \{"error":"AgentServerStopped","message":"[^"]+"\}\n\n$/);
  expect(JSON.parse(texts.at(-1)!)).toEqual({
    __error__: { error: "AgentServerStopped", message: expect.any(String) },
  });
  const last = (await agent).trimEnd().split("\n").at(-1)!;
  expect(JSON.parse(last.replace("data: ", ""))).toMatchObject({ id: 7, error: { code: -32603 } });
  expect(printed).not.toHaveBeenCalled();
  printed.mockRestore();
});
