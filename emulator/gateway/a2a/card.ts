import type { Call } from "../call/call";

interface DescribedAssistant {
  assistant_id: string;
  name: string;
  description?: string | null;
}

/** Tells other agents how to talk to an assistant. */
export async function agentCard(
  { runtime, backstage, base }: Call,
  assistantId: string | undefined,
  origin: string,
) {
  const asked = assistantId ?? (await backstage.facts()).graphs[0]!;
  const path = `/assistants/${encodeURIComponent(asked)}`;
  const { assistant_id: id, name, description } = await runtime.json<DescribedAssistant>("GET", path);
  const about = description ?? `The assistant "${name}".`;
  return {
    protocolVersion: "0.3.0",
    name,
    description: about,
    url: `${origin}${base}/a2a/${id}`,
    preferredTransport: "JSONRPC",
    version: "1.0.0",
    capabilities: { streaming: true, pushNotifications: false, stateTransitionHistory: false },
    defaultInputModes: ["text/plain", "application/json"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "main", name, description: about, tags: ["assistant"] }],
    securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "X-Api-Key" } },
    security: [{ apiKey: [] }],
  };
}
