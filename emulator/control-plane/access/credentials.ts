import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeOwnFile } from "../../storage/own-files";
import type { Organization } from "./organizations";

/** Name of the file, inside the state folder, that holds a generated key and tenant. */
const credentialsFile = "credentials.json";

/**
 * The one organization that exists where none was asked for. Its key and tenant are made once and kept in the state
 * folder, readable by its owner alone.
 */
export function generatedOrganization(state: string | undefined): Organization {
  const file = state && join(state, credentialsFile);
  const kept = file && existsSync(file) ? readKept(file) : undefined;
  const { apiKey, tenantId } = kept ?? {
    apiKey: `local-${randomBytes(24).toString("base64url")}`,
    tenantId: randomUUID(),
  };
  if (file && !kept) writeOwnFile(file, `${JSON.stringify({ apiKey, tenantId }, undefined, 2)}\n`);
  return { name: "local", apiKeys: [apiKey], tenants: [tenantId] };
}

function readKept(file: string): { apiKey: string; tenantId: string } | undefined {
  try {
    const { apiKey, tenantId } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    if (typeof apiKey === "string" && typeof tenantId === "string") return { apiKey, tenantId };
  } catch {
    // Half written by a process that was killed: nobody can have used it yet.
  }
  return undefined;
}
