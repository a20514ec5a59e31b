import { createRealRunner } from "../../../../emulator/rollout/real";
import type { RunningAgent } from "../../../../emulator/rollout/rollout";
import { agentFiles, slowAnswerer } from "../agents";
import { jobFor, Notes, tokenOf } from "../rehearsal";
import { Repository } from "../repository";

const never = new AbortController().signal;

async function call<T>(agent: RunningAgent, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(agent.origin + path, {
    method,
    headers: { ...tokenOf(agent), ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as T;
}

const runOf = (content: string) => ({
  assistant_id: "agent",
  input: { messages: [{ role: "user", content }] },
  multitask_strategy: "reject",
});

test("keeps threads across a restart, and accepts new runs on the thread of an interrupted run", async () => {
  const runner = createRealRunner();
  const job = jobFor(new Repository(agentFiles(slowAnswerer)).folder);
  const first = (await runner.roll(job, new Notes(), never))!;
  await first.takeOver!();
  const { thread_id: thread } = await call<{ thread_id: string }>(first, "POST", "/threads", {});
  await call(first, "POST", `/threads/${thread}/runs/wait`, runOf("one"));
  const cut = await call<{ run_id: string }>(first, "POST", `/threads/${thread}/runs`, runOf("slowly"));
  const statusOf = async (agent: RunningAgent) =>
    (await call<{ status: string }>(agent, "GET", `/threads/${thread}/runs/${cut.run_id}`)).status;
  while ((await statusOf(first)) === "pending") continue;
  await first.stop();

  const notes = new Notes();
  const second = (await runner.restart(job, notes, never))!;
  await second.takeOver!();
  try {
    expect(notes.text).toContain("WARNING Runs that failed because the agent stopped before they ended: 1.");
    expect(await statusOf(second)).toBe("error");
    const state = await call<{ messages: { content: string }[] }>(
      second,
      "POST",
      `/threads/${thread}/runs/wait`,
      runOf("two"),
    );
    const said = state.messages.map((message) => message.content);
    expect(said.slice(0, 2)).toEqual(["one", "heard one"]);
    expect(said.at(-1)).toBe("heard two");
    expect(notes.text).not.toContain(" ERROR ");
  } finally {
    await second.stop();
  }
});
