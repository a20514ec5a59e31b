import * as pulumi from "@pulumi/pulumi";
import { lookUps } from "./look-ups";

/** Whose token of which provider is wanted. */
export interface AuthenticateArgs {
  /** Id of the provider, such as `github`. */
  provider: string;
  /** What the token is to be good for, in the provider's words. */
  scopes: string[];
  /** The user. @default whoever the API key belongs to, where the control plane allows that */
  userId?: string;
  /** The agent that the token is for: one that is connected to it is taken before the user's own. */
  agentId?: string;
  /** How long `pulumi up` waits for the user's consent, such as `"10m"`; `"0s"` not to wait. @default "10m" */
  timeout?: string;
}

/** A token of a user with a provider. */
export interface AuthenticateResult {
  /** Secret; unknown in a preview where the user has not consented yet. */
  token: pulumi.Output<string>;
}

const defaultTimeout = "10m";

/**
 * Gets a token of a user with a provider (`POST /v2/auth/authenticate`, `GET /v2/auth/wait/{auth_id}`), with the connection
 * of the `agentserver` configuration. Where the user has to consent first, a warning names the address to visit, and
 * `pulumi up` waits for that, up to `timeout`; a preview does not wait.
 */
export async function authenticate(args: AuthenticateArgs): Promise<AuthenticateResult> {
  const token = await tokenFor(args);
  if (token !== undefined) return { token: pulumi.secret(token) };
  return { token: pulumi.secret(pulumi.unknown as unknown as string) };
}

/** Like `authenticate`, for arguments that are known only later: the token, which is secret. */
export function authenticateOutput(args: {
  [Arg in keyof AuthenticateArgs]: pulumi.Input<AuthenticateArgs[Arg]>;
}): pulumi.Output<string> {
  const found = pulumi
    .output(args)
    .apply(async (known) => (await authenticate(known as AuthenticateArgs)).token);
  return pulumi.secret(found);
}

async function tokenFor({
  timeout = defaultTimeout,
  ...wish
}: AuthenticateArgs): Promise<string | undefined> {
  if (wish.provider.trim() === "") throw new Error("authenticate: provider must not be empty.");
  const isDryRun = pulumi.runtime.isDryRun();
  const given = lookUps().consentWait(timeout);
  const user = wish.userId === undefined ? "" : ` of ${wish.userId}`;
  const then = isDryRun
    ? "`pulumi up` waits for that"
    : given === 0
      ? "then run this again"
      : `this waits up to ${timeout} for it`;
  let address = "";
  const token = await lookUps().authenticate(wish, {
    waitMs: isDryRun ? 0 : given,
    onPending: (url) => {
      address = url;
      void pulumi.log.warn(
        `The consent${user} is needed for the provider "${wish.provider}": visit ${url}; ${then}.`,
      );
    },
  });
  if (token === undefined && !isDryRun)
    throw new Error(
      `authenticate: the consent${user} for the provider "${wish.provider}" is missing. Visit ${address} and run this again.`,
    );
  return token;
}
