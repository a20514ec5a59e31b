import type { IntegrationService } from "./integrations/service";
import type { ListenerService } from "./listeners/service";
import type { Organizations } from "./access/organizations";
import type { AuthenticationServices } from "./authentication/services";
import type { Catalogue } from "./deployments/catalogue";
import type { Removal } from "./deployments/removal";
import type { Provisioning } from "./deployments/provisioning";
import type { Dialect } from "./dialects";
import type { PushWatch } from "./pushes/push-watch";
import type { Supervisor } from "./rollouts/supervisor";
import type { Store } from "./store/store";
import type { Traps } from "./quirks/quirks";
import type { Uploads } from "./uploads/uploads";

/** Dependencies of the routes of one control plane. */
export interface PlaneParts extends AuthenticationServices {
  store: Store;
  dialect: Dialect;
  organizations: Organizations;
  catalogue: Catalogue;
  removal: Removal;
  provisioning: Provisioning;
  /** Traps that are switched on; they may change while the control plane runs. */
  traps: Traps;
  supervisor: Supervisor;
  integrations: IntegrationService;
  listeners: ListenerService;
  pushes: PushWatch;
  uploads: Uploads;
  baseUrl: () => string;
  /** Called for every single read of a revision. */
  noteRead(revisionId: string): void;
  /** Called with faults of the control plane itself. */
  complain: (error: unknown) => void;
}
