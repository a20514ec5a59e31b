import type { HttpBindings } from "@hono/node-server";
import type { OwnOrigin } from "../../gateway/route";
import type { Organization } from "../access/organizations";

/** Body of a request as it arrives. */
export type SentBody = ReadableStreamDefaultReader<Uint8Array>;

/** What travels with a request. Without a socket (plain `fetch`) there are no bindings. */
export interface PlaneEnvironment {
  Bindings: Partial<HttpBindings> & { ownOrigin?: OwnOrigin };
  Variables: {
    organization: Organization;
    tenantId: string;
    /** The body as it was sent, once it was read as JSON. */
    sent: unknown;
    /** The body as it was understood. */
    understood: unknown;
    /** Body of an upload; undefined if it is empty. */
    upload: SentBody | undefined;
    /** Kind of the fault that struck. */
    fault: string;
  };
}
