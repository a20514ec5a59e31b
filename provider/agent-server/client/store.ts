import { z } from "zod";
import type { Transport } from "../../http/transport";
import { ask } from "./ask";

const found = z.object({ items: z.array(z.unknown()) });

/** The endpoints of the store as functions. */
export class StoreClient {
  constructor(private readonly transport: Transport) {}

  /** `POST /store/items/search`: how many items there are, up to a number beyond which nobody counts. */
  async count(limit: number, signal?: AbortSignal): Promise<number> {
    const body = { namespace_prefix: [], limit };
    const { items } = await ask(this.transport, "POST", "/store/items/search", found, body, signal);
    return items.length;
  }
}
