import type { IntegrationService } from "./integrations/service";
import type { ListenerService } from "./listeners/service";
import type { Organizations } from "./access/organizations";
import type { AuthenticationServices } from "./authentication/services";
import type { DeploymentService } from "./deployments/service";
import type { Removal } from "./deployments/removal";
import type { Provisioning } from "./deployments/provisioning";
import type { Dialect } from "./dialects";
import type { PushWatch } from "./pushes/push-watch";
import type { Supervisor } from "./rollouts/supervisor";
import type { Store } from "./store/store";
import type { Quirks } from "./quirks/quirks";
import type { Uploads } from "./uploads/uploads";

/** Dependencies of the routes of a control plane. */
export interface PlaneDeps extends AuthenticationServices {
  store: Store;
  dialect: Dialect;
  organizations: Organizations;
  deploymentService: DeploymentService;
  removal: Removal;
  provisioning: Provisioning;
  /** Enabled quirks. They may change while the control plane is running. */
  quirks: Quirks;
  supervisor: Supervisor;
  integrations: IntegrationService;
  listeners: ListenerService;
  pushes: PushWatch;
  uploads: Uploads;
  baseUrl: () => string;
  /** Called each time a single revision is read. */
  noteRead(revisionId: string): void;
  /** Called with internal errors of the control plane. */
  reportError: (error: unknown) => void;
}
