import type { HttpBindings } from "@hono/node-server";
import type { OwnOrigin } from "../../gateway/route";
import type { Organization } from "../access/organizations";

/** Values that accompany a request. Without a socket (plain `fetch`) there are no bindings. */
export interface PlaneEnvironment {
  Bindings: Partial<HttpBindings> & { ownOrigin?: OwnOrigin };
  Variables: {
    organization: Organization;
    tenantId: string;
    /** Body as sent, after it was parsed as JSON. */
    sent: unknown;
    /** Body as parsed by the schema. */
    understood: unknown;
    /** Kind of the injected fault. */
    fault: string;
  };
}
