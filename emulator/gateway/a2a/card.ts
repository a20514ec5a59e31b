import { readPath } from "../assistants/paths";
import type { RequestContext } from "../request/request-context";

export interface DescribedAssistant {
  assistant_id: string;
  name: string;
  description?: string | null;
}

/** Returns the assistant with this id or of this graph; by default, that of the first graph. */
export async function describedAssistant(
  { client, internalApi }: Pick<RequestContext, "client" | "internalApi">,
  assistantId?: string,
): Promise<DescribedAssistant> {
  const asked = assistantId ?? (await internalApi.facts()).graphs[0]!;
  return client.json<DescribedAssistant>("GET", readPath(asked));
}

/**
 * Returns the card that describes an assistant to other agents, in either version of the protocol. Clients of version
 * 1.0 specify it in the request for the card; other clients find their interface in the card of version 0.3.
 */
export function agentCard(
  { assistant_id: id, name, description }: DescribedAssistant,
  url: string,
  version: string | undefined,
) {
  const about = description ?? `The assistant "${name}".`;
  const at = { url: `${url}/a2a/${id}`, protocolBinding: "JSONRPC" };
  const shared = {
    name,
    description: about,
    version: "1.0.0",
    supportedInterfaces: ["1.0", "0.3"].map((protocolVersion) => ({ ...at, protocolVersion })),
    capabilities: { streaming: true, pushNotifications: false },
    defaultInputModes: ["text/plain", "application/json"],
    defaultOutputModes: ["text/plain", "application/json"],
    skills: [{ id: "main", name, description: about, tags: ["assistant"] }],
  };
  if (version?.startsWith("1."))
    return {
      ...shared,
      securitySchemes: { apiKey: { apiKeySecurityScheme: { location: "header", name: "X-Api-Key" } } },
      securityRequirements: [{ schemes: { apiKey: { list: [] } } }],
    };
  return {
    ...shared,
    protocolVersion: "0.3.0",
    url: at.url,
    preferredTransport: at.protocolBinding,
    securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "X-Api-Key" } },
    security: [{ apiKey: [] }],
  };
}
