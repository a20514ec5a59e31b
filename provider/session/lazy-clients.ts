/* eslint-disable @typescript-eslint/no-require-imports -- Loaded with the first request; a preview may send none. */
import type * as AgentServer from "../agent-server/client";
import type * as ControlPlane from "../control-plane/client";
import type * as Http from "../http/transport";
import type * as Uploads from "../http/upload";

/** Functions that send requests. The module of each one is loaded when it is first needed. */
export const lazyClients = {
  transport: (options: Http.TransportOptions): Http.Transport =>
    new (require("../http/transport") as typeof Http).Transport(options),
  controlPlane: (transport: Http.Transport): ControlPlane.ControlPlaneClient =>
    new (require("../control-plane/client") as typeof ControlPlane).ControlPlaneClient(transport),
  agentServer: (transport: Http.Transport): AgentServer.AgentServerClient =>
    new (require("../agent-server/client") as typeof AgentServer).AgentServerClient(transport),
  upload: (...given: Parameters<typeof Uploads.upload>): Promise<void> =>
    (require("../http/upload") as typeof Uploads).upload(...given),
};
