import * as pulumi from "@pulumi/pulumi";
import { afterDependencies } from "./invoke-options";
import { run } from "./run";

/** Arguments of `authenticate`. */
export interface AuthenticateArgs {
  /** ID of the provider, such as `github`. */
  provider: string;
  /** Scopes of the token, in the notation of the provider. */
  scopes: string[];
  /**
   * ID of the user.
   * @default the owner of the API key, if the control plane supports it
   */
  userId?: string;
  /**
   * ID of the agent that uses the token. If the user has a connection for this agent, that connection takes precedence
   * over the user's own connection.
   */
  agentId?: string;
  /**
   * Maximum time that `pulumi up` waits for the user's consent, such as `"10m"`; `"0s"` disables waiting.
   * @default "10m"
   */
  timeout?: string;
}

/** Access token of a user for a provider. */
export interface AuthenticateResult {
  /** The token, a secret. Unknown in a preview if the user has not consented yet. */
  token: pulumi.Output<string>;
}

/**
 * Gets a user's token for a provider (`POST /v2/auth/authenticate`, `GET /v2/auth/wait/{auth_id}`), using the
 * connection in the `agentserver` configuration. If the user has to consent first, this function logs a warning with
 * the URL to visit, and `pulumi up` waits up to `timeout` for consent. Previews do not wait.
 */
export async function authenticate(args: AuthenticateArgs): Promise<AuthenticateResult> {
  const { token } = await run("authenticate", args);
  return { token: pulumi.secret(token ?? (pulumi.unknown as unknown as string)) };
}

/** Output version of `authenticate`. Returns the token, which is secret. */
export function authenticateOutput(
  args: { [Arg in keyof AuthenticateArgs]: pulumi.Input<AuthenticateArgs[Arg]> },
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<string> {
  const found = afterDependencies(pulumi.output(args), options).apply(
    async (resolved) => (await authenticate(resolved as AuthenticateArgs)).token,
  );
  return pulumi.secret(found);
}
