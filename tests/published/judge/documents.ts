import { agentServerApi } from "../../../emulator/gateway/api";
import { type DialectName, startControlPlane } from "../../../emulator/index";
import type { ApiDocument } from "../../../tools/published-facts/document";
import { extractFacts } from "../../../tools/published-facts/extract";
import type { Facts } from "../../../tools/published-facts/facts";

/**
 * Returns the facts from the OpenAPI document of a local control plane. The document is generated from the validation
 * schemas.
 */
export async function controlPlaneFacts(dialect: DialectName): Promise<Facts> {
  const plane = await startControlPlane({ dialect });
  try {
    const answer = await plane.fetch(new Request(`${plane.baseUrl}/openapi.json`));
    return extractFacts((await answer.json()) as ApiDocument);
  } finally {
    await plane.close();
  }
}

/** Returns the facts from the OpenAPI document of the agent servers of a local control plane. */
export function agentServerFacts(): Facts {
  const api = agentServerApi(
    (url) => new URL(url).pathname,
    () => undefined,
  );
  const document = api.getOpenAPI31Document({ openapi: "3.1.0", info: { title: "", version: "" } });
  return extractFacts(document as object as ApiDocument);
}
