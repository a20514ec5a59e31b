import { html } from "hono/html";
import { pageText } from "../../page-text";

/** A page that says one thing to a person. */
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
