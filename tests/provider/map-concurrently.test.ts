import { mapConcurrently } from "../../provider/map-concurrently";

test("keeps the order of the items, and limits concurrent calls", async () => {
  const pending: (() => void)[] = [];
  let running = 0;
  let maximum = 0;
  const mapped = mapConcurrently(["a", "b", "c", "d", "e"], 2, async (item) => {
    maximum = Math.max(maximum, (running += 1));
    await new Promise<void>((resolve) => pending.push(resolve));
    running -= 1;
    return item.toUpperCase();
  });
  // The newest call ends first.
  for (let done = 0; done < 5; done += 1) {
    pending.pop()!();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await mapped).toEqual(["A", "B", "C", "D", "E"]);
  expect(maximum).toBe(2);
});

test("does not start further calls after a failure, and rejects when the others have finished", async () => {
  const started: number[] = [];
  const ended: number[] = [];
  let finish = () => {};
  const mapped = mapConcurrently([1, 2, 3], 2, async (item) => {
    started.push(item);
    if (item === 2) throw new Error("two");
    await new Promise<void>((resolve) => (finish = resolve));
    ended.push(item);
  });
  const rejected = mapped.catch((error: unknown) => ({ error, ended: [...ended] }));
  await new Promise((resolve) => setImmediate(resolve));
  finish();
  expect(await rejected).toEqual({ error: new Error("two"), ended: [1] });
  expect(started).toEqual([1, 2]);
});
