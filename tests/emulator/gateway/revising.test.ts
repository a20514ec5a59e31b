import { saying, versatileAgent } from "./agent";
import { revise, runDeployment } from "./deployment";

test("streams and waiting that a new revision ends say so", async () => {
  const printed = jest.spyOn(console, "error").mockImplementation(() => undefined);
  const { plane, url, client, repository } = await runDeployment();
  const thread = (await client.post("/threads")).body.thread_id as string;
  const post = (path: string) =>
    fetch(url + path, {
      method: "POST",
      headers: { "x-api-key": plane.apiKey, "content-type": "application/json" },
      body: JSON.stringify(saying("endlessly")),
    });
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
  expect(printed).not.toHaveBeenCalled();
  printed.mockRestore();
}, 90_000);
