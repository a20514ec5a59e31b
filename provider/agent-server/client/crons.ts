import type { Transport } from "../../http/transport";
import { count } from "../wire";
import { ask } from "./ask";

/** The endpoints of crons as functions. */
export class CronsClient {
  constructor(private readonly transport: Transport) {}

  /** `POST /runs/crons/count`. */
  count(signal?: AbortSignal): Promise<number> {
    return ask(this.transport, "POST", "/runs/crons/count", count, {}, signal);
  }
}
