import { VirtualClock } from "../../emulator/index";
import { systemClock } from "../../provider/clock";
import { first, draw, seeded } from "./lengths";
import { Plane } from "./plane";
import { meanOf, type Mean } from "./schedules";

/**
 * Simulates this number of concurrent first rollouts in one process in virtual time. The `polls` in the result include
 * all requests.
 */
export async function atOnce(count: number, seed: number): Promise<Mean> {
  const virtual = new VirtualClock(0);
  const plane = new Plane(
    { now: () => virtual.now(), sleep: virtual.advancingSleep },
    { rollouts: [], isOwn: false },
  );
  const random = seeded(seed);
  const waited = await Promise.all(
    Array.from({ length: count }, (_, index) => plane.follow(`d${index}`, draw(first, random))),
  );
  return { polls: plane.requests, lagS: meanOf(waited).lagS };
}

/** Measures the memory and the CPU time that this number of waits requires in a process that does nothing else. */
export async function idle(count: number, seconds: number): Promise<{ mebibytes: number; cores: number }> {
  const collect = (globalThis as { gc?: () => void }).gc ?? (() => {});
  collect();
  const before = process.memoryUsage().rss;
  const plane = new Plane(systemClock, { rollouts: [], isOwn: false });
  // None of the waits ends during the measurement.
  for (let index = 0; index < count; index += 1)
    void plane.follow(`d${index}`, { ms: 3_600_000, fails: false });
  await systemClock.sleep(15_000);
  const cpu = process.cpuUsage();
  await systemClock.sleep(seconds * 1_000);
  const { user, system } = process.cpuUsage(cpu);
  collect();
  return {
    mebibytes: (process.memoryUsage().rss - before) / 2 ** 20,
    cores: (user + system) / 1e6 / seconds,
  };
}
