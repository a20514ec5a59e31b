import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { at } from "../../../../provider/resource/inputs/values";
import { type EvaluatedAgents, said, type AgentRun } from "../../evaluated-agents";
import { isSecret } from "../../wire";
import { canary } from "../../world";
import { cases, echo, evaluated, type Evaluation, questions, worldOf } from "./evaluation-world";

describe("a judge", () => {
  const judged: Evaluation = {
    cases: [{ input: { q: "a" }, reference: "answer a" }],
    judge: { assistant: "judge" },
  };

  test("receives the input, the answer, and the reference if it is an assistant", async () => {
    const { agents, world } = await worldOf((graph, input) =>
      graph === "judge" ? said('{"score": 0.8, "reason": "fine"}') : echo(graph, input),
    );
    const stack = await world.deployed(
      evaluated({ ...judged, judge: { assistant: "judge", instructions: "Be strict." } }),
    );
    const [content] = (agents.started[1]!.input as { messages: { content: string }[] }).messages;
    expect(JSON.parse(content!.content)).toEqual({
      input: { q: "a" },
      answer: "answer a",
      reference: "answer a",
      instructions: "Be strict.",
    });
    expect(stack.state.verified.current?.verification.evaluation).toBe(1);
    expect(agents.threads.size).toBe(0);
  });

  test("fails a case with a score that is too low, and gives its reason", async () => {
    const { world } = await worldOf((graph, input) =>
      graph === "judge" ? said('{"score": 0.4, "reason": "rude"}') : echo(graph, input),
    );
    const { failure } = await world.stack().up(evaluated(judged));
    expect(failure!.reasons!.join("\n")).toContain(
      "Case cases[0] failed: the judge gave the score 0.4: rude.",
    );
  });

  test.each<[string, AgentRun, string]>([
    ["answers without a verdict", said("good"), "its answer is not JSON"],
    ["fails", { error: "429" }, "its run ended with status error: Error: 429"],
  ])("is asked again by the next update, which keeps the revision, if it %s", async (_, result, problem) => {
    const { agents, world } = await worldOf((graph, input) =>
      graph === "judge" ? result : echo(graph, input),
    );
    const stack = await world.deployed(evaluated({ cases: cases("z") }, "1", { onFailure: "rollback" }));
    const inputs = evaluated(judged, "2", { onFailure: "rollback" });
    const noVerdict = `The assistant judge returned no verdict for case cases[0]: ${problem}`;
    expect((await stack.up(inputs)).failure!.message).toContain(noVerdict);
    expect((await stack.up(inputs)).failure!.message).toContain(noVerdict);
    expect(world.writes.map(({ method }) => method)).toEqual(["PATCH"]);
    agents.run = (graph, input) => (graph === "judge" ? said('{"passed":true}') : echo(graph, input));
    world.forget();
    expect((await stack.up(inputs)).failure).toBeUndefined();
    expect(world.writes).toEqual([]);
    expect(agents.started.map(({ graph }) => graph)).toEqual(["agent", "agent", "judge", "judge", "judge"]);
    expect(agents.threads.size).toBe(0);
  });

  test("prevents any case from running, but does not fail the revision, if it does not exist", async () => {
    const { agents, world } = await worldOf();
    agents.graphs = ["agent"];
    const stack = await world.deployed(evaluated({ cases: cases("z") }, "1", { onFailure: "rollback" }));
    agents.started.length = 0;
    const misspelled = { ...judged, judge: { assistant: "judge-2" } };
    const { failure } = await stack.up(evaluated(misspelled, "2", { onFailure: "rollback" }));
    expect(failure!.message).toContain(
      'The agent server has no assistant for the graph "judge-2", which is specified as the judge. Correct the judge and run `pulumi up` again',
    );
    expect(agents.started).toEqual([]);
    expect(world.writes.map(({ method }) => method)).toEqual(["PATCH"]);
    agents.graphs = ["agent", "judge"];
    agents.run = (graph, input) => (graph === "judge" ? said('{"passed":true}') : echo(graph, input));
    expect((await stack.up(evaluated(judged, "2", { onFailure: "rollback" }))).failure).toBeUndefined();
  });

  test("is asked again by the next update if its run does not end in time", async () => {
    const { agents, world } = await worldOf((graph, input) =>
      graph === "judge" ? { status: "running" } : echo(graph, input),
    );
    const stack = await world.deployed(evaluated({ cases: cases("z") }, "1", { onFailure: "rollback" }));
    const inputs = evaluated({ ...judged, caseTimeout: "5m" }, "2", { onFailure: "rollback" });
    expect((await stack.up(inputs)).failure!.message).toContain(
      "The assistant judge returned no verdict for case cases[0]: its run did not end within 5m.",
    );
    agents.run = (graph, input) => (graph === "judge" ? said('{"passed":true}') : echo(graph, input));
    expect((await stack.up(inputs)).failure).toBeUndefined();
  });

  describe("behind an HTTP endpoint", () => {
    let server: Server;
    const requests: { headers: Record<string, unknown>; body: unknown }[] = [];
    let responses: { status: number; body: string }[];
    let onRequest: () => void;

    beforeEach(async () => {
      requests.length = 0;
      server = createServer((request, response) => {
        void request
          .setEncoding("utf8")
          .toArray()
          .then((parts) => {
            onRequest();
            requests.push({ headers: request.headers, body: JSON.parse(parts.join("")) });
            const { status, body } = responses.shift() ?? { status: 200, body: '{"passed":true}' };
            response.writeHead(status, { location: "/elsewhere" }).end(body);
          });
      });
      onRequest = () => undefined;
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    });
    afterEach(() => server.close().closeAllConnections());

    const withUrl = (): Evaluation => ({
      ...judged,
      judge: {
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/judge`,
        headers: { authorization: `${canary}-judge` },
      },
    });

    test("receives the documented request without the provider's key, and is retried", async () => {
      responses = [
        { status: 503, body: "" },
        { status: 429, body: "" },
      ];
      const { world } = await worldOf();
      const stack = world.stack();
      expect((await stack.up(evaluated(withUrl()))).failure).toBeUndefined();
      expect(requests).toHaveLength(3);
      expect(requests[2]!.body).toEqual({
        input: { q: "a" },
        answer: "answer a",
        reference: "answer a",
        instructions: null,
      });
      expect(requests[2]!.headers["authorization"]).toBe(`${canary}-judge`);
      expect(JSON.stringify(requests[2]!.headers)).not.toContain(world.plane.apiKey);
      const header = "rollout.verify.evaluation.judge.headers.authorization";
      for (const stored of [stack.inputs, stack.outputs]) expect(isSecret(at(stored, header))).toBe(true);
      stack.call = { secretPaths: [header] };
      await stack.up(evaluated(withUrl(), "2"));
      expect(JSON.stringify(stack.outputs["verified"])).toBe(JSON.stringify(stack.state.verified));
      expect(isSecret(stack.outputs["verified"])).toBe(false);
    });

    test.each([
      [{ status: 302, body: "" }, "it returned 302"],
      [{ status: 401, body: "" }, "it returned 401"],
      [{ status: 200, body: "good" }, "its answer is not JSON"],
    ])(
      "does not fail the revision by returning %j, and is not asked twice about a case",
      async (response, problem) => {
        responses = [{ status: 200, body: '{"score":1}' }, response];
        const { agents, world } = await worldOf();
        const two = { ...withUrl(), cases: [{ input: { q: "a" } }, { input: { q: "b" } }], concurrency: 1 };
        const stack = await world.deployed(evaluated({ cases: cases("z") }, "1"));
        const { failure } = await stack.up(evaluated(two, "2"));
        expect(failure!.message).toContain(`returned no verdict for case cases[1]: ${problem}`);
        expect(failure!.message).toMatch(/judge at http:\/\/127\.0\.0\.1:\d+\/judge/);
        expect((await stack.up(evaluated(two, "2"))).failure).toBeUndefined();
        expect(requests.map(({ body }) => (body as { input: { q: string } }).input.q)).toEqual([
          "a",
          "b",
          "b",
        ]);
        expect(questions(agents)).toEqual(["a", "b", "z"]);
      },
    );

    test.each<[string, number, (agents: EvaluatedAgents) => void]>([
      ["fails because the thread was deleted", 404, ({ threads }) => threads.clear()],
      ["is rejected as invalid", 422, ({ faults }) => faults.push({ request: /^PATCH/, status: 422 })],
      ["is forbidden", 403, ({ faults }) => faults.push({ request: /^PATCH/, status: 403 })],
    ])("has its verdict counted, with one warning, if recording it %s", async (_, status, onAsked) => {
      responses = [];
      const { agents, world } = await worldOf();
      const stack = world.stack();
      const two = { ...withUrl(), cases: [{ input: { q: "a" } }, { input: { q: "b" } }], concurrency: 1 };
      onRequest = () => onAsked(agents);
      expect((await stack.up(evaluated(two, "2"))).failure).toBeUndefined();
      expect(world.log.lines("warning")).toEqual([
        expect.stringMatching(
          new RegExp(
            `verdict of the judge at http://.*/judge for case cases\\[0\\] could not be recorded: PATCH .* returned ${status}.*the judge is asked again`,
          ),
        ),
      ]);
      expect(requests).toHaveLength(2);
    });

    test("receives all keys of an input, and has its reason recorded as valid text", async () => {
      const reason = `${"x".repeat(999)}😀 and \u0000 more`;
      responses = [{ status: 200, body: JSON.stringify({ score: 1, reason }) }];
      const { agents, world } = await worldOf();
      const recorded: string[] = [];
      onRequest = () => {
        agents.beforeResponse = () => {
          recorded.push(...[...agents.threads.values()].map(({ metadata }) => JSON.stringify(metadata)));
          return undefined;
        };
      };
      const input = { q: "a", constructor: "Ford", prototype: { nested: 1 } };
      const one = { ...withUrl(), cases: [{ input: input as never }] };
      expect((await world.stack().up(evaluated(one))).failure).toBeUndefined();
      expect(requests[0]!.body).toMatchObject({ input });
      expect(requests[0]!.headers["content-type"]).toBe("application/json");
      expect(recorded.join()).toContain("x…");
      expect(recorded.join()).not.toMatch(/\\ud83d|\\u0000/);
    });
  });
});
