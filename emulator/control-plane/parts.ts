import type { Organizations } from "./access/organizations";
import type { AuthenticationService } from "./authentication/service";
import type { Catalogue } from "./deployments/catalogue";
import type { Removal } from "./deployments/removal";
import type { Dialect } from "./dialect";
import type { Supervisor } from "./rollouts/supervisor";
import type { Store } from "./store/store";

/** What the routes of one control plane work with. */
export interface PlaneParts {
  store: Store;
  dialect: Dialect;
  organizations: Organizations;
  catalogue: Catalogue;
  removal: Removal;
  supervisor: Supervisor;
  authentication: AuthenticationService;
  baseUrl(): string;
  /** Told of every single reading of a revision. */
  noteRead(revisionId: string): void;
  /** Told about faults of the control plane itself. */
  complain(error: unknown): void;
}
