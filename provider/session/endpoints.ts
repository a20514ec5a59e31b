import { z } from "zod";
import { failure, validationFailure } from "../../wire";
import { credentialHeaders, type Connection, type Credential } from "../control-plane/connection";
import { settingName, type SettingSource, settingWithVariable } from "../control-plane/setting-names";
import type { Network } from "../http/network";
import type { Pace } from "../http/pace";
import { isLoopback } from "../http/proxy";
import type { Service } from "../http/service";
import { AgentServerError } from "../errors";

/**
 * Returns the service settings of a connection's control plane.
 * @param pace rate limit for all requests to the control plane
 */
export function controlPlaneService(connection: Connection, network: Network, pace?: Pace): Service {
  const { baseUrl, credential, tenantId } = connection;
  const address = settingName("baseUrl", connection);
  const tenant = settingWithVariable("tenantId", connection);
  return {
    texts: {
      name: "control plane",
      addressSetting: address,
      checkAddress: `Check that ${address} points to a control plane.`,
      checkCredentials: `Check ${settingOf(connection)} and ${tenant}: the ${credentialRule(credential)} belong to the organization of that workspace and may need more permissions.`,
      checkTrust: checkTrust("it", connection),
      limitSetting: settingName("maxRequestsPerSecond", connection),
    },
    baseUrl,
    headers: { ...credentialHeaders(credential), ...(tenantId !== undefined && { "X-Tenant-Id": tenantId }) },
    detailOf,
    network,
    pace,
  };
}

/**
 * Returns the service settings of a deployment's agent server, which accepts the control plane's API key and requires
 * no workspace.
 * @throws AgentServerError `bad_configuration` for an address to which the key must not be sent
 */
export function agentServerService(url: string, connection: Connection, network: Network): Service {
  refuseUnprotectedAddress(url, connection.baseUrl);
  return {
    texts: {
      name: "agent server",
      addressSetting: "the deployment's URL (sourceConfig.customUrl)",
      checkAddress: "Check that the deployment's URL points to its agent server.",
      checkCredentials: `Check ${settingOf(connection)}: the ${credentialRule(connection.credential)} belong to the organization of the deployment.`,
      checkTrust: checkTrust("the agent server's certificate", connection),
    },
    baseUrl: url.replace(/\/+$/, ""),
    headers: credentialHeaders(connection.credential),
    detailOf,
    network,
  };
}

/** An agent server that does not belong to a deployment of the control plane. */
export interface StandaloneServer {
  url: string;
  /** API key of the server; omitted if the server does not require a key. */
  apiKey?: string | undefined;
  /** Name of the configuration key or environment variable that contains the key, for messages. */
  apiKeyFrom?: string | undefined;
}

/**
 * Returns the service settings of an agent server that does not belong to a deployment of the control plane.
 * @param source source of the network settings
 * @throws AgentServerError `bad_configuration` for an invalid address, or one to which the key must not be sent
 */
export function standaloneService(
  server: StandaloneServer,
  network: Network,
  source: SettingSource,
): Service {
  const { url, apiKey, apiKeyFrom } = server;
  if (apiKey !== undefined) refuseUnprotectedAddress(url, url.startsWith("https:") ? url : "");
  refuseUnusableAddress(url);
  return {
    texts: {
      name: "agent server",
      addressSetting: "connection.url",
      checkAddress: "Check that connection.url points to an agent server.",
      checkCredentials:
        apiKeyFrom === undefined
          ? "Set connection.apiKeyFrom to the name of a configuration key or an environment variable that contains the server's key."
          : `Check the key that connection.apiKeyFrom (${apiKeyFrom}) specifies.`,
      checkTrust: checkTrust("the agent server's certificate", source),
    },
    baseUrl: url.replace(/\/+$/, ""),
    headers: apiKey === undefined ? {} : credentialHeaders({ apiKey }),
    detailOf,
    network,
  };
}

function settingOf(connection: Connection): string {
  return settingWithVariable("apiKey" in connection.credential ? "apiKey" : "accessToken", connection);
}

function credentialRule(credential: Credential): string {
  return "apiKey" in credential ? "key must" : "token must not have expired and must";
}

/** Returns the instruction for correcting an untrusted certificate. */
function checkTrust(certificate: string, source: SettingSource): string {
  return `If ${certificate} is signed by a private CA, or by the CA of a proxy that inspects traffic, specify the CA's PEM file in ${settingWithVariable("caFile", source)} or in NODE_EXTRA_CA_CERTS.`;
}

/** Returns the error text in a response. Control planes and agent servers use the same format. */
function detailOf(body: unknown): string | undefined {
  const parsed = z.union([failure, validationFailure]).safeParse(body);
  if (!parsed.success) return undefined;
  const { detail } = parsed.data;
  if (typeof detail === "string") return detail;
  return detail.map((item) => `${item.loc.join(".")}: ${item.msg}`).join("; ");
}

/**
 * Rejects an address to which the key must not be sent. The key may be sent to https addresses, to this machine, and to
 * the control plane's own host.
 */
function refuseUnprotectedAddress(url: string, baseUrl: string): void {
  const place = URL.parse(url);
  const isProtected =
    place?.protocol === "https:" ||
    (place?.protocol === "http:" && (isLoopback(place.hostname) || place.host === URL.parse(baseUrl)?.host));
  if (isProtected) return;
  throw new AgentServerError(
    "bad_configuration",
    `No credential is sent to the agent server's address ${place ? place.origin + place.pathname : "that was given"}, because it does not start with https://. Use an https address.`,
  );
}

/**
 * Rejects an invalid address and an address with a password. The password would be stored in state, which contains the
 * connection unchanged.
 */
function refuseUnusableAddress(url: string): void {
  const place = URL.parse(url);
  const isWeb = place?.protocol === "https:" || place?.protocol === "http:";
  if (isWeb && place.username === "" && place.password === "") return;
  throw new AgentServerError(
    "bad_configuration",
    isWeb
      ? "The agent server's address (connection.url) must not contain a user name or a password. Remove them, and set connection.apiKeyFrom to the configuration key or environment variable that contains the server's API key."
      : "The agent server's address (connection.url) must start with https:// or http://.",
  );
}
