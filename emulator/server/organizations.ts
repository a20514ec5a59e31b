import type { ControlPlaneOptions } from "./options";
import { Organizations, type Organization } from "../control-plane/access/organizations";
import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeOwnFile } from "../storage/own-files";

/**
 * Returns the organizations from the options, or a generated organization if the options do not specify any.
 *
 * @param tenantsInUse - Tenants that have deployments in the state.
 */
export function chooseOrganizations(
  { organizations, apiKey, tenantId, state }: ControlPlaneOptions,
  tenantsInUse: readonly string[],
): Organizations {
  if (organizations && (apiKey !== undefined || tenantId !== undefined))
    throw new Error("Specify either `organizations` or `apiKey` and `tenantId`, not both.");
  if (organizations) {
    if (!organizations[0]?.apiKeys[0] || !organizations[0].tenants[0])
      throw new Error("The first of `organizations` needs an API key and a tenant.");
    return new Organizations(organizations);
  }
  const isGiven = apiKey !== undefined && tenantId !== undefined;
  const made = generatedOrganization(isGiven ? undefined : state, tenantsInUse);
  return new Organizations([
    {
      name: made.name,
      apiKeys: apiKey === undefined ? made.apiKeys : [apiKey],
      tenants: tenantId === undefined ? made.tenants : [tenantId],
    },
  ]);
}

/** Name of the file in the state folder that stores a generated key and tenant. */
const credentialsFile = "credentials.json";

/**
 * Returns the organization that is generated if none is specified. Its key and tenant are created once, and stored in a
 * file in the state folder that only the current user can read.
 *
 * @param tenantsInUse - Tenants that have deployments in the state.
 */
function generatedOrganization(state: string | undefined, tenantsInUse: readonly string[]): Organization {
  const file = state && join(state, credentialsFile);
  const kept = file && existsSync(file) ? readKept(file, tenantsInUse) : undefined;
  const { apiKey, tenantId } = kept ?? {
    apiKey: `local-${randomBytes(24).toString("base64url")}`,
    tenantId: randomUUID(),
  };
  if (file && !kept) writeOwnFile(file, `${JSON.stringify({ apiKey, tenantId }, undefined, 2)}\n`);
  return { name: "local", apiKeys: [apiKey], tenants: [tenantId] };
}

/** Returns the contents of the credentials file, or `undefined` if they are unusable and may be replaced. */
function readKept(
  file: string,
  tenantsInUse: readonly string[],
): { apiKey: string; tenantId: string } | undefined {
  const text = readText(file);
  try {
    const { apiKey, tenantId } = JSON.parse(text) as Record<string, unknown>;
    if (typeof apiKey === "string" && typeof tenantId === "string") return { apiKey, tenantId };
  } catch {
    // Invalid JSON is treated like JSON with unexpected contents.
  }
  if (tenantsInUse.length === 0) return undefined;
  throw new Error(
    `${file} does not contain a key and a tenant in the format {"apiKey": "…", "tenantId": "…"}, but there are deployments of tenant ` +
      `${tenantsInUse.join(", ")}, which a new tenant could not access. Restore the file, or recreate it with a key of your ` +
      "choice and that tenant. If these deployments are not needed, remove the file: the next start creates a new key and a new tenant.",
  );
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(
      `${file}, which contains the key and the tenant of this state folder, cannot be read: ${(error as Error).message}. ` +
        "Make it readable by the user of the control plane.",
    );
  }
}
