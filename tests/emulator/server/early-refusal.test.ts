import type { Deployment } from "../answers";
import { creation, start, stopAll } from "../control-plane/client";
import { OpenAgents } from "../control-plane/access/open-agents";
import { sendThenRead } from "../control-plane/send-then-read";

afterEach(stopAll);

const large = Buffer.alloc(40 * 1024 * 1024, " ");

test.each([
  ["a known length", undefined],
  ["chunks", "chunked"],
] as const)(
  "delivers error responses even to clients that first send a large body with %s",
  async (_how, announced) => {
    const { client, clock, plane } = await start({
      admin: true,
      runner: new OpenAgents(({ request }, response) => {
        request.resume().on("end", () => response.end("{}"));
      }),
    });
    const { id } = (await client.post<Deployment>("/v2/deployments", creation("agent"))).body;
    await clock.advance(1);
    for (const [path, status] of [
      ["/v2/deployments", 413],
      ["/v2/auth/authenticate", 413],
      ["/admin/faults", 413],
      ["/page/sign-in", 413],
      [`/agents/${id}/threads`, 413],
      ["/agents/none/threads", 404],
      ["/nowhere", 404],
    ] as const) {
      const answer = await sendThenRead({
        url: plane.baseUrl + path,
        method: "POST",
        headers: {
          "X-Api-Key": plane.apiKey,
          "X-Tenant-Id": plane.tenantId,
          "Content-Type": "application/json",
        },
        sent: large,
        announced,
      });
      expect([path, answer.slice(0, 12)]).toEqual([path, `HTTP/1.1 ${status}`]);
      expect(JSON.parse(answer.split("\r\n\r\n")[1]!)).toEqual({ detail: expect.any(String) });
    }
  },
);
