import type { PlacedKind } from "../resource/kind";
import type { Session } from "../session";
import { AgentServer } from "./agent-server/place";
import { ControlPlane } from "./control-plane/place";
import type { Place } from "./place";

/** What a place is made of. */
export interface PlaceOptions {
  session: Session;
  /** Reads any key of the stack's configuration. */
  config: (key: string) => string | undefined;
  /** Longest time for all questions of a preview about one resource, in milliseconds of real time. */
  patienceMs: number;
}

/** Where the resources of a kind live, with this configuration. */
export function placeOf(kind: PlacedKind, options: PlaceOptions): Place {
  if (kind.livesAt === "control plane") return new ControlPlane(kind, options.session, options.patienceMs);
  return new AgentServer(kind, options);
}
