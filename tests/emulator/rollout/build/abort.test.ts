import { createRealRunner } from "../../../../emulator/rollout/real";
import { agentFiles } from "../agents";
import { blockingGraph, silentServers, stuckPhases } from "../phases";
import { allGone, eventually, firstProcessIn, processesIn } from "../processes";
import { jobFor, Notes, tokenOf } from "../rehearsal";
import { Repository } from "../repository";

afterAll(() => silentServers.forEach((server) => server.close()));

test.each(stuckPhases)(
  "stops all processes of a rollout that is aborted during $name",
  async ({ url, sign, processes }) => {
    const job = jobFor(await url());
    const notes = new Notes();
    const giveUp = new AbortController();
    const rollout = createRealRunner().roll(job, notes, giveUp.signal);
    const outcome = rollout.catch((error: unknown) => error);
    await eventually(
      () => notes.text.includes(sign) && processesIn(job.dataFolder).length >= processes,
      sign,
    );
    giveUp.abort(new Error("given up"));
    expect(await outcome).toMatchObject({ message: "given up" });
    expect(processesIn(job.dataFolder)).toEqual([]);
    expect(notes.text).not.toContain("ERROR");
  },
);

test("does not report a failed build if Ctrl-C interrupts git before the rollout", async () => {
  const { url, sign } = stuckPhases[0]!;
  const job = jobFor(await url());
  const notes = new Notes();
  const giveUp = new AbortController();
  const outcome = createRealRunner()
    .roll(job, notes, giveUp.signal)
    .catch((error: unknown) => error);
  await eventually(() => notes.text.includes(sign) && processesIn(job.dataFolder).length >= 2, sign);
  process.kill(firstProcessIn(job.dataFolder), "SIGINT");
  await eventually(() => processesIn(job.dataFolder).length === 0, "git has ended");
  giveUp.abort(new Error("given up"));
  expect(await outcome).toMatchObject({ message: "given up" });
});

test("does not start a rollout that was aborted before it started", async () => {
  const job = jobFor("/nowhere");
  await expect(createRealRunner().roll(job, new Notes(), AbortSignal.abort())).rejects.toThrow("aborted");
});

test("kills an agent that does not respond, together with its child processes", async () => {
  const job = jobFor(new Repository(agentFiles(blockingGraph)).folder);
  const agent = await createRealRunner({ stopGraceMs: 200 }).roll(
    job,
    new Notes(),
    new AbortController().signal,
  );
  const run = { assistant_id: "agent", input: { messages: [{ role: "user", content: "x" }] } };
  const blocked = fetch(`${agent!.origin}/runs`, {
    method: "POST",
    headers: { "content-type": "application/json", ...tokenOf(agent) },
    body: JSON.stringify(run),
  });
  await blocked;
  await eventually(() => processesIn(job.dataFolder).length >= 3, "the agent has children");
  await agent!.stop();
  expect(processesIn(job.dataFolder)).toEqual([]);
  await allGone(job.dataFolder);
});
