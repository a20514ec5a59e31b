import { secretSettings, type settings } from "../../provider/control-plane/setting-names";
import type { PackageTypes, PropertySpec } from "./package-types";

type Setting = (typeof settings)[number];

const text = { type: "string" };
const flag = { type: "boolean" };

// The types are not enumerations, because SDKs would pass the values of enumerations as JSON.
const documented: Record<Setting, object> = {
  region: { ...text, description: "Region of the public service: `us` or `eu`." },
  baseUrl: {
    ...text,
    description:
      "URL of any other control plane; the provider adds `/api-host` if it is missing. Environment variable: `AGENTSERVER_BASE_URL`.",
  },
  apiKey: {
    ...text,
    description: "Organization or workspace API key. Environment variable: `AGENTSERVER_API_KEY`.",
  },
  accessToken: {
    ...text,
    description:
      "Access token instead of an API key, which must be valid for the whole update. Environment variable: `AGENTSERVER_ACCESS_TOKEN`.",
  },
  tenantId: {
    ...text,
    description:
      "ID of the workspace; optional if `dialect` is `langsmith` and the key belongs to a single workspace. Environment variable: `AGENTSERVER_TENANT_ID`.",
  },
  dialect: {
    ...text,
    description:
      "Dialect of the control plane's API: `interface` or `langsmith`. By default, it is detected from `/openapi.json` of the control plane. Environment variable: `AGENTSERVER_DIALECT`.",
  },
  caFile: {
    ...text,
    description:
      "PEM file with CAs to trust in addition to the default CAs. Environment variable: `AGENTSERVER_CA_FILE`.",
  },
  offline: {
    ...flag,
    description:
      "True if previews check only the inputs and send no requests. Environment variable: `AGENTSERVER_OFFLINE`.",
  },
  maxRequestsPerSecond: {
    type: "number",
    description:
      "Maximum number of requests per second to the control plane, from 0.1 to 1000. Defaults to 10, or to no limit if the control plane is on the same machine. Environment variable: `AGENTSERVER_MAX_REQUESTS_PER_SECOND`.",
  },
  allowMove: { ...flag, description: "True if the deployments in state are now at a new address." },
};

/** Setting of the provider that is not part of a connection. */
const organization: PropertySpec = {
  type: "string",
  description:
    "Organization of the stacks, which providers do not learn from the engine. Required only if stacks of several organizations have the same name and project, and manage deployments of the same workspace.",
};

/**
 * Returns the settings of a provider. SDKs do not read the environment, because they would combine its settings with
 * those in the program, and store the API key in state. The provider reads the environment instead.
 */
export function configurationVariables(types: PackageTypes): Record<string, PropertySpec> {
  const { properties } = types.objectOf({ properties: documented as never }, new Map(), "Provider");
  for (const name of secretSettings) properties[name]!.secret = true;
  return { ...properties, organization };
}
