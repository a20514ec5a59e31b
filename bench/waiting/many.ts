import { VirtualClock } from "../../emulator/index";
import { systemClock } from "../../provider/clock";
import { first, draw, seeded } from "./lengths";
import { Plane } from "./plane";
import { meanOf, type Mean } from "./schedules";

/** The first rollouts of so many deployments at once, in one process and in virtual time; looks are all requests. */
export async function atOnce(count: number, seed: number): Promise<Mean> {
  const virtual = new VirtualClock(0);
  const plane = new Plane(
    { now: () => virtual.now(), sleep: virtual.advancingSleep },
    { rollouts: [], isOwn: false },
  );
  const random = seeded(seed);
  const waited = await Promise.all(
    Array.from({ length: count }, (_, place) => plane.follow(`d${place}`, draw(first, random))),
  );
  return { looks: plane.requests, lagS: meanOf(waited).lagS };
}

/** What so many waits cost a process that does nothing else. */
export async function idle(count: number, seconds: number): Promise<{ mebibytes: number; cores: number }> {
  const collect = (globalThis as { gc?: () => void }).gc ?? (() => {});
  collect();
  const before = process.memoryUsage().rss;
  const plane = new Plane(systemClock, { rollouts: [], isOwn: false });
  // None of them ends while it is measured.
  for (let place = 0; place < count; place += 1)
    void plane.follow(`d${place}`, { ms: 3_600_000, fails: false });
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
