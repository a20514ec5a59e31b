import type { html } from "hono/html";

/** Returns the source of a page that was created with `html`. None of its parts may be a promise. */
export function pageText(page: ReturnType<typeof html>): string {
  if (page instanceof Promise) throw new Error("a part of the page is a promise");
  return page.toString();
}
