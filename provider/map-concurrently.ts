/**
 * Maps items in order, with at most `limit` concurrent calls of `map`. After a failure, does not start further calls,
 * and rejects with the first error when the running calls have finished.
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const errors: unknown[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) {
      if (errors.length > 0) return;
      try {
        results[index] = await map(item);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (errors.length > 0) throw errors[0];
  return results;
}
