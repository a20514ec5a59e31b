import { html } from "hono/html";
import { pageText } from "./page-text";

/** Headers for a document that does not load anything, does not run scripts, and cannot be embedded in a frame. */
export const inertHeaders = {
  "content-security-policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
};

/** Returns a page that displays a single message. */
export function notice(title: string, text: string): string {
  return pageText(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <title>${title}</title>
        </head>
        <body>
          <p>${text}</p>
        </body>
      </html>`,
  );
}
