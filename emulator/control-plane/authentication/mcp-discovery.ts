import { z } from "zod";
import { shortText } from "../../bounded-bytes";
import type { McpOAuthProviderCreateRequest } from "../wire";
import type { DiscoveredClient } from "./providers";
import { refuseAuthentication } from "./refusals";

const longestAnswerMs = 10_000;

const resource = z.object({ authorization_servers: z.array(z.string()).min(1) });
const authorizationServer = z.object({
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  registration_endpoint: z.string(),
});
const registration = z.object({
  client_id: z.string(),
  client_secret: z.string().nullish(),
  token_endpoint_auth_method: z.string().nullish(),
});

/** Discovers the authorization server of an MCP server and registers a client with it, as specified by MCP. */
export async function discoverProvider(
  request: McpOAuthProviderCreateRequest,
  redirectUri: string,
): Promise<DiscoveredClient> {
  try {
    const server = new URL(request.mcp_server_url);
    const issuer = await issuerOf(server);
    const metadata = await ask(authorizationServer, wellKnown("oauth-authorization-server", issuer));
    const client = await ask(registration, new URL(metadata.registration_endpoint), {
      client_name: request.name,
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    });
    return {
      clientId: client.client_id,
      clientSecret: client.client_secret ?? null,
      authUrl: metadata.authorization_endpoint,
      tokenUrl: metadata.token_endpoint,
      tokenEndpointAuthMethod: client.token_endpoint_auth_method ?? "none",
    };
  } catch (error) {
    throw refuseAuthentication.undiscovered(request.mcp_server_url, reasonOf(error));
  }
}

/** Returns the issuer of the server's tokens. A server that does not specify an issuer is its own issuer. */
async function issuerOf(server: URL): Promise<URL> {
  try {
    const { authorization_servers } = await ask(resource, wellKnown("oauth-protected-resource", server));
    return new URL(authorization_servers[0]!);
  } catch {
    return new URL(server.origin);
  }
}

/**
 * Returns the URL of the well-known document about another URL. The name of the document precedes the path of that URL.
 */
function wellKnown(name: string, about: URL): URL {
  return new URL(`/.well-known/${name}${about.pathname.replace(/\/$/, "")}`, about);
}

async function ask<Answer>(schema: z.ZodType<Answer>, url: URL, body?: object): Promise<Answer> {
  const answer = await fetch(url, {
    signal: AbortSignal.timeout(longestAnswerMs),
    headers: { accept: "application/json", ...(body && { "content-type": "application/json" }) },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${url.href} returned ${answer.status}`);
  const parsed = schema.safeParse(JSON.parse(await shortText(answer.body)));
  if (!parsed.success) throw new Error(`${url.href} lacks ${parsed.error.issues[0]!.path.join(".")}`);
  return parsed.data;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
}
