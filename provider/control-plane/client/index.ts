import { z } from "zod";
import { AgentServerError } from "../../errors";
import type { Transport } from "../../http/transport";
import { AuthenticationClient } from "./authentication";
import { DeploymentsClient } from "./deployments";
import { IntegrationsClient } from "./integrations";
import { ListenersClient } from "./listeners";
import { RevisionsClient } from "./revisions";
import { UploadsClient } from "./uploads";

/** The endpoints of the control plane, grouped by resource. */
export class ControlPlaneClient {
  readonly deployments: DeploymentsClient;
  readonly revisions: RevisionsClient;
  readonly integrations: IntegrationsClient;
  readonly listeners: ListenersClient;
  readonly uploads: UploadsClient;
  readonly authentication: AuthenticationClient;

  constructor(private readonly transport: Transport) {
    this.deployments = new DeploymentsClient(transport);
    this.revisions = new RevisionsClient(transport);
    this.integrations = new IntegrationsClient(transport);
    this.listeners = new ListenersClient(transport);
    this.uploads = new UploadsClient(transport);
    this.authentication = new AuthenticationClient(transport);
  }

  /** `GET /openapi.json`; `undefined` if the server does not publish one. */
  async findApiDescription(signal?: AbortSignal): Promise<unknown> {
    try {
      const answer = z.record(z.string(), z.unknown());
      return await this.transport.send({ method: "GET", path: "/openapi.json", answer, signal });
    } catch (error) {
      if (!AgentServerError.is(error)) throw error;
      const isPublished = !error.isDenied && !error.isMissing && error.code !== "unexpected_response";
      if (isPublished) throw error;
      return undefined;
    }
  }
}
