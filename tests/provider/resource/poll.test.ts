import { fixedDelays, poll, type Schedule } from "../../../provider/resource/poll";

/** Returns the times at which an unsuccessful wait polls, in milliseconds, followed by the time when it ends. */
async function looksOf(schedule: Schedule, deadline?: number): Promise<number[]> {
  let now = 0;
  const clock = { now: () => now, sleep: async (ms: number) => void (now += ms) };
  const looks: number[] = [];
  await poll(
    { clock, ...(deadline !== undefined && { deadline: { at: deadline } }) },
    schedule,
    async () => void looks.push(now),
  );
  return [...looks, now];
}

test("ends with its schedule if there is no deadline", async () => {
  expect(await looksOf(fixedDelays([10, 20]))).toEqual([0, 10, 30, 30]);
});

test("shortens the last pause at a deadline, and polls one last time", async () => {
  expect(await looksOf(fixedDelays([10, 20]), 15)).toEqual([0, 10, 15, 15]);
});

test("keeps the whole pause before the first poll, regardless of the deadline", async () => {
  expect(await looksOf({ ...fixedDelays([10, 20]), beforeFirst: 40 })).toEqual([40, 50, 70, 70]);
  expect(await looksOf({ ...fixedDelays([10, 20]), beforeFirst: 40 }, 15)).toEqual([40, 40]);
});
