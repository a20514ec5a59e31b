/* eslint-disable @typescript-eslint/no-require-imports -- Most programs need only one of these modules. */
import type { PlacedKind } from "../resource/kind";
import type * as AtAgentServer from "./agent-server/place";
import type * as AtControlPlane from "./control-plane/place";
import type { Endpoint, EndpointOptions } from "./endpoint";

/** Creates the endpoint for the resources of a kind, with these options. */
export function endpointOf(kind: PlacedKind, options: EndpointOptions): Endpoint {
  if (kind.endpointType === "control plane") {
    const { ControlPlane } = require("./control-plane/place") as typeof AtControlPlane;
    return new ControlPlane(kind, options);
  }
  const { AgentServer } = require("./agent-server/place") as typeof AtAgentServer;
  return new AgentServer(kind, options);
}
