import { Network } from "../../../provider/http/network";
import type { Credential } from "../../../provider/control-plane/connection";
import type { Service } from "../../../provider/http/service";
import { agentServerService, controlPlaneService } from "../../../provider/session/endpoints";

const connection = { credential: { apiKey: "k" }, tenantId: "t", dialect: undefined, allowMove: false };

/** Returns a control plane on this machine. */
export function serviceAt(port: number, credential: Credential = connection.credential): Service {
  const baseUrl = `http://127.0.0.1:${port}`;
  return controlPlaneService({ ...connection, credential, baseUrl }, new Network(undefined, undefined));
}

/** Returns an agent server on this machine that uses HTTPS. @param certificates trusted CAs */
export function agentServerAt(port: number, certificates?: readonly string[]): Service {
  const url = `https://127.0.0.1:${port}`;
  return agentServerService(url, { ...connection, baseUrl: url }, new Network(undefined, certificates));
}
