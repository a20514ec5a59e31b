import { backstageTokenHeader } from "../rollout/backstage-headers";

/** Headers that belong to one connection and end there. */
const hopByHop = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** Headers meant for the gateway, which the agent must not see, and one that only the gateway sets. */
const forGateway = ["x-tenant-id", "host", "expect", backstageTokenHeader];

/**
 * Headers of a request as the agent gets them, without the caller's credential for the gateway. Beside an `X-Api-Key`
 * that is not `Authorization`, which goes through: a project may have an authentication of its own.
 */
export function requestHeaders(headers: Headers): Record<string, string> {
  const credential = headers.has("x-api-key") ? "x-api-key" : "authorization";
  const named = namedByConnection(headers.get("connection"));
  const dropped = new Set([...hopByHop, ...forGateway, credential, ...named]);
  return Object.fromEntries([...headers].filter(([name]) => !dropped.has(name)));
}

/** Headers by which an agent would act on the whole origin, which it shares with the page and with other agents. */
const ofOrigin = ["service-worker-allowed", "set-cookie", "clear-site-data"];

/** Headers of the agent's answer, given as Node has them: names and values in turn. */
export function responseHeaders(raw: string[], origin: string, base: string): Headers {
  const pairs = Array.from(
    { length: raw.length / 2 },
    (_, i) => [raw[2 * i]!.toLowerCase(), raw[2 * i + 1]!] as const,
  );
  const connection = pairs.filter(([name]) => name === "connection").map(([, value]) => value);
  const dropped = new Set([...hopByHop, ...ofOrigin, ...namedByConnection(connection.join(","))]);
  const headers = new Headers();
  for (const [name, value] of pairs) {
    if (!dropped.has(name)) headers.append(name, rewritten(name, value, origin, base));
  }
  return headers;
}

function namedByConnection(value: string | null): string[] {
  return (value ?? "").split(",").map((name) => name.trim().toLowerCase());
}

/** Places that the agent names by its own address become places below the deployment's URL. */
function rewritten(name: string, value: string, origin: string, base: string): string {
  if (name !== "location" && name !== "content-location") return value;
  if (value === origin || value.startsWith(`${origin}/`)) return base + value.slice(origin.length);
  return name === "location" && /^\/(?!\/)/.test(value) ? base + value : value;
}
