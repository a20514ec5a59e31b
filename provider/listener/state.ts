import { z } from "zod";
import { kindState } from "../resource/kind-state";
import { controlPlaneAddress, type ControlPlaneState } from "../resource/managed";
import type { ListenerInputs } from "./inputs";

/** State of a listener: the accepted inputs, and the control plane. */
export type ListenerState = ListenerInputs & ControlPlaneState;

export const listenerState = kindState<ListenerState>(
  "listener",
  z.object({ controlPlane: controlPlaneAddress }),
  1,
);
