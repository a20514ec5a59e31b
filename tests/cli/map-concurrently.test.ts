import { mapConcurrently } from "../../cli/map-concurrently";

test("keeps the order of the items and limits concurrent calls", async () => {
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

test("rejects if a call rejects", async () => {
  const mapped = mapConcurrently([1, 2], 2, (item) =>
    item === 2 ? Promise.reject(new Error("two")) : Promise.resolve(item),
  );
  await expect(mapped).rejects.toThrow("two");
});
