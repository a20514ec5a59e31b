import type { HttpBindings } from "@hono/node-server";
import type { OwnOrigin } from "../../gateway/route";
import type { Organization } from "../access/organizations";

/** Values that accompany a request. There are no bindings for a request without a socket (plain `fetch`). */
export interface PlaneEnvironment {
  Bindings: Partial<HttpBindings> & { ownOrigin?: OwnOrigin };
  Variables: {
    organization: Organization;
    tenantId: string;
    /** Body of the request after JSON parsing, before validation. */
    sent: unknown;
    /** Body of the request after validation by the schema. */
    understood: unknown;
    /** Kind of fault that was injected into the request. */
    fault: string;
  };
}
