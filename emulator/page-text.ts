import type { html } from "hono/html";

/** A page that was written with `html`, as text; it must not wait for any of its parts. */
export function pageText(page: ReturnType<typeof html>): string {
  if (page instanceof Promise) throw new Error("a part of the page is a promise");
  return page.toString();
}
