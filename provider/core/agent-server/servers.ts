import type { AgentServerClient } from "../../agent-server/client";
import type { TransportOptions } from "../../http/transport";
import type { ServerAddress } from "../../resource/server";
import type { Session } from "../../session/session";
import type { Connections } from "../connections";
import type { KeyRing } from "./key-ring";

/** Creates clients for the agent servers that inputs specify. */
export class Servers {
  constructor(
    private readonly connections: Connections,
    private readonly keys: KeyRing,
  ) {}

  /** The configured session. */
  get session(): Session {
    return this.connections.configured;
  }

  /**
   * Returns the session with the control plane of the deployment that a server belongs to.
   * @throws AgentServerError `missing_credentials` if the API key of the connection is missing
   */
  controlPlaneOf({ controlPlane }: ServerAddress): Session {
    return this.connections.session(controlPlane);
  }

  /**
   * Returns a client for an agent server.
   * @throws AgentServerError `missing_credentials` or `bad_configuration` if the API key of the server is missing or
   * must not be sent to the server
   */
  client(server: ServerAddress, options: Partial<TransportOptions>): AgentServerClient {
    const { url, deploymentId, apiKeyFrom } = server;
    if (deploymentId !== undefined) return this.controlPlaneOf(server).agentServer(url, options);
    const apiKey = apiKeyFrom === undefined ? undefined : this.keys.get(apiKeyFrom);
    return this.session.standalone({ url, apiKey, apiKeyFrom }, options);
  }
}
