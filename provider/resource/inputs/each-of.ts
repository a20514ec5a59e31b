/** Requests that are under way at the same time. */
const atOnce = 8;

/** Does some work for each, several at the same time; after a failure nothing more is begun. */
export async function eachOf<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  let failed = false;
  const worker = async () => {
    for (const item of waiting) {
      if (failed) return;
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  const failure = ends.find((end) => end.status === "rejected");
  if (failure) throw failure.reason;
}
