import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import type { Hono } from "hono";
import type { Clock } from "../../clock";
import { normalizedRequest, withPath } from "../../gateway/request/normalized";
import { agentsPath, sessionCookie } from "../../gateway/route";
import { inertHeaders } from "../../notice";
import { pageText } from "../../page-text";
import type { SignInCodes } from "./sign-in-codes";
import type { PlaneEnvironment } from "../routes/environment";
import type { Signatures } from "../uploads/signature";

/**
 * Path of the sign-in page on the origin of a deployment:
 * `<deployment_id>.localhost:<port>/.agentserver/sign-in#<code>`.
 */
const signInPath = "/.agentserver/sign-in";

/** Lifetime of a browser session, in milliseconds. */
const sessionMs = 12 * 60 * 60_000;

export interface AgentOriginsDeps {
  app: Hono<PlaneEnvironment>;
  clock: Pick<Clock, "now">;
  signatures: Signatures;
  /** Sign-in codes, each of which is issued for the ID of a deployment. */
  codes: SignInCodes<string>;
}

/**
 * Serves each deployment on its own origin, `<deployment_id>.localhost`, so that browsers isolate the pages of agents
 * from the web console and from each other. A browser signs in to this origin with a code from the web console. The
 * resulting session gives access only to that deployment, and is not an API key.
 */
export class AgentOrigins {
  constructor(private readonly deps: AgentOriginsDeps) {}

  async fetch(
    request: Request,
    environment: PlaneEnvironment["Bindings"],
    deploymentId: string,
  ): Promise<Response> {
    const normalized = normalizedRequest(request);
    const { pathname } = new URL(normalized.url);
    if (pathname === signInPath) return this.#signIn(normalized, deploymentId);
    const ownOrigin = { signedIn: this.#isSignedIn(normalized.headers, deploymentId) };
    return this.deps.app.fetch(withPath(normalized, `${agentsPath}/${deploymentId}${pathname}`), {
      ...environment,
      ownOrigin,
    });
  }

  #signIn({ method, headers }: Request, deploymentId: string): Response {
    if (method === "GET") return new Response(signInPage, { headers: signInHeaders });
    const refuse = (detail: string) => Response.json({ detail }, { status: 403, headers: inertHeaders });
    if (method !== "POST" || headers.get("sec-fetch-site") !== "same-origin") return refuse(otherOrigin);
    const code = headers.get("x-sign-in-code");
    if (code === null || this.deps.codes.take(code) !== deploymentId) return refuse(expiredLink);
    const expires = this.deps.clock.now() + sessionMs;
    const session = `${expires}.${this.deps.signatures.sign(pathOf(deploymentId), expires)}`;
    const cookie = `${sessionCookie}=${session}; Path=/; Max-Age=${sessionMs / 1000}; HttpOnly; SameSite=Strict`;
    return new Response(null, { status: 204, headers: { "Set-Cookie": cookie } });
  }

  /**
   * True if the request has a valid session and was sent either by a page of the same origin or directly by the user.
   * Browsers may treat the origins of all deployments as the same site, so `SameSite` does not prevent agents from
   * sending each other's cookies.
   */
  #isSignedIn(headers: Headers, deploymentId: string): boolean {
    if (!["same-origin", "none"].includes(headers.get("sec-fetch-site") ?? "")) return false;
    const { clock, signatures } = this.deps;
    return (headers.get("cookie") ?? "").split(";").some((pair) => {
      const [, expires, signature] = sessionPattern.exec(pair.trim()) ?? [];
      if (expires === undefined || clock.now() >= Number(expires)) return false;
      return signatures.isValid(pathOf(deploymentId), Number(expires), signature!);
    });
  }
}

const sessionPattern = new RegExp(`^${sessionCookie}=(\\d+)\\.([\\w-]+)$`);

function pathOf(deploymentId: string): string {
  return `${agentsPath.slice(1)}/${deploymentId}`;
}

const otherOrigin =
  "The request does not have the header Sec-Fetch-Site: same-origin. Open the agent in an up-to-date browser.";

const expiredLink =
  "This link has been used, or is older than ten minutes. Open the agent again from the web console of the control plane.";

/**
 * Exchanges the code in the URL fragment for a session. The browser does not include the fragment in the URLs that it
 * requests.
 */
const script = `
const code = location.hash.slice(1);
history.replaceState(null, "", location.pathname);
fetch(location.pathname, { method: "POST", headers: { "X-Sign-In-Code": code } })
  .then(async (answer) => {
    if (answer.ok) location.replace("/docs");
    else document.querySelector("p").textContent = (await answer.json()).detail;
  });
`;

const signInPage = pageText(
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Sign in</title>
      </head>
      <body>
        <p>Signing in…</p>
        ${raw(`<script>${script}</script>`)}
      </body>
    </html>`,
);

const signInHeaders = {
  ...inertHeaders,
  "content-security-policy": [
    inertHeaders["content-security-policy"],
    `script-src 'sha256-${createHash("sha256").update(script).digest("base64")}'`,
    "connect-src 'self'",
  ].join("; "),
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
};
