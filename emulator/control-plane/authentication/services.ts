import type { DialectTable } from "../../../wire";
import type { Clock } from "../../clock";
import type { Store } from "../store/store";
import { ConnectionService } from "./connections";
import { ProviderService } from "./providers";
import { AuthenticationService } from "./service";
import { TokenService } from "./tokens";

/** Services for users, tokens, connections, and OAuth providers. */
export interface AuthenticationServices {
  authentication: AuthenticationService;
  providers: ProviderService;
  tokens: TokenService;
  connections: ConnectionService;
}

/** Creates the services for OAuth. */
export function authenticationServices(
  store: Store,
  clock: Clock,
  dialect: DialectTable,
  baseUrl: () => string,
): AuthenticationServices {
  const tokens = new TokenService(store);
  const tellsExpiry = dialect.widerAuthentication;
  return {
    authentication: new AuthenticationService({ store, clock, tokens, tellsExpiry, baseUrl }),
    providers: new ProviderService(store, tokens),
    tokens,
    connections: new ConnectionService(store, tokens, clock),
  };
}
