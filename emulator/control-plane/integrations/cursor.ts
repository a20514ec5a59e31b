import { z } from "@hono/zod-openapi";
import { Refusal } from "../refusal";

/** Query of lists that are paged with a cursor. */
export const cursorQuery = z.strictObject({
  page_size: z.coerce.number().int().min(1).max(100).default(20),
  /** `next_cursor` of the previous page. */
  cursor: z.string().optional(),
});

/** Returns one page of `all`, and the cursor of the next one, if there is one. */
export function pageBehind<Item>(
  all: readonly Item[],
  { page_size, cursor }: z.infer<typeof cursorQuery>,
): { items: Item[]; next_cursor: string | null } {
  const start = cursor ? placeOf(cursor) : 0;
  const end = start + page_size;
  return { items: all.slice(start, end), next_cursor: end < all.length ? cursorAt(end) : null };
}

function cursorAt(place: number): string {
  return Buffer.from(`from ${place}`).toString("base64url");
}

function placeOf(cursor: string): number {
  const place = /^from (\d+)$/.exec(Buffer.from(cursor, "base64url").toString())?.[1];
  if (place === undefined)
    throw new Refusal(422, [{ loc: ["query", "cursor"], msg: "Invalid cursor", type: "value_error" }]);
  return Number(place);
}
