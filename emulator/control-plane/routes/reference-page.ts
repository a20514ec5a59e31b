import { html, raw } from "hono/html";
import { inertHeaders } from "../../notice";
import { pageText } from "../../page-text";
import type { OpenAPIHono } from "@hono/zod-openapi";

/** An OpenAPI 3.1 document. */
export type ApiDocument = ReturnType<OpenAPIHono["getOpenAPI31Document"]>;

type Operation = NonNullable<NonNullable<ApiDocument["paths"]>[string]["get"]>;
type Markup = ReturnType<typeof raw>;

const methods = ["get", "post", "patch", "delete"] as const;

const style = `
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
  code, pre { font: 13px/1.5 ui-monospace, monospace; } pre { background: #f6f6f6; padding: 1rem; overflow: auto; }
  summary { cursor: pointer; padding: .4rem 0; } .method { display: inline-block; width: 4.5rem; font-weight: bold; }
`;

/** Security headers of the page, which has inline styles and no scripts. */
export const referenceHeaders = {
  ...inertHeaders,
  "content-security-policy": `${inertHeaders["content-security-policy"]}; style-src 'unsafe-inline'`,
};

/** Returns the API reference as a single page without external resources, so that it also works offline. */
export function referencePage(document: ApiDocument): string {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => (item[method] ? [section(method, path, item[method])] : [])),
  );
  const schemas = Object.entries(document.components?.schemas ?? {}).map(
    ([name, schema]) =>
      html`<details id="${name}">
        <summary><code>${name}</code></summary>
        ${listing(schema)}
      </details>`,
  );
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${document.info.title}</title>
        <style>
          ${raw(style)}
        </style>
      </head>
      <body>
        <h1>${document.info.title} ${document.info.version}</h1>
        <p>
          Local control plane. Send <code>X-Api-Key</code> and <code>X-Tenant-Id</code>. The same as data:
          <a href="openapi.json">openapi.json</a>.
        </p>
        <h2>Endpoints</h2>
        ${operations}
        <h2>Schemas</h2>
        ${schemas}
      </body>
    </html>`;
  return pageText(page);
}

function section(method: string, path: string, operation: Operation): Markup {
  const { summary, parameters, requestBody, responses } = operation;
  return raw(
    pageText(
      html`<details>
        <summary>
          <code><span class="method">${method.toUpperCase()}</span>${path}</code> ${summary ?? ""}
        </summary>
        ${listing({ parameters, requestBody, responses })}
      </details>`,
    ),
  );
}

function listing(value: unknown): Markup {
  return raw(pageText(html`<pre>${JSON.stringify(value, undefined, 2)}</pre>`));
}
