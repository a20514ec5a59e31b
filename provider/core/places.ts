import type { PlacedKind } from "../resource/kind";
import { AgentServer } from "./agent-server/place";
import { ControlPlane } from "./control-plane/place";
import type { Place, PlaceOptions } from "./place";

/** Where the resources of a kind live, with this configuration. */
export function placeOf(kind: PlacedKind, options: PlaceOptions): Place {
  if (kind.livesAt === "control plane") return new ControlPlane(kind, options.session, options.patienceMs);
  return new AgentServer(kind, options);
}
