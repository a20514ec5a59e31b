import type { HttpBindings } from "@hono/node-server";
import type { OwnOrigin } from "../../gateway/route";
import type { Organization } from "../access/organizations";

/** Values that accompany a request. Without a socket (plain `fetch`) there are no bindings. */
export interface PlaneEnvironment {
  Bindings: Partial<HttpBindings> & { ownOrigin?: OwnOrigin };
  Variables: {
    organization: Organization;
    tenantId: string;
    /** The body as it was sent, once it was read as JSON. */
    sent: unknown;
    /** The body as it was understood. */
    understood: unknown;
    /** Kind of the fault that struck. */
    fault: string;
  };
}
