import type { RepositoryAddress } from "./repository-address";

/** Credential helper that runs in git's shell; the values stay in the environment. */
const helper =
  '!f() { test "$1" != get || printf "username=%s\\npassword=%s\\n" "$AGENTSERVER_GIT_USER" "$AGENTSERVER_GIT_PASSWORD"; }; f';

/**
 * Returns the environment of git with the credentials of the repository's address, for its host only. No other helper
 * is called or stores them; if the address has no password, the user's own helpers are called.
 */
export function withLogin(
  environment: Record<string, string>,
  repository: RepositoryAddress | undefined,
): Record<string, string> {
  const { fetch, login } = repository ?? {};
  if (!fetch || !login) return environment;
  const section = `credential.${new URL(fetch).origin}`;
  const settings =
    login.password === ""
      ? [[`${section}.username`, login.username]]
      : [
          [`${section}.helper`, ""],
          [`${section}.helper`, helper],
        ];
  const before = Number(environment["GIT_CONFIG_COUNT"] ?? 0);
  return {
    ...environment,
    GIT_CONFIG_COUNT: String(before + settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${before + at}`, key],
        [`GIT_CONFIG_VALUE_${before + at}`, value],
      ]),
    ),
    AGENTSERVER_GIT_USER: login.username,
    AGENTSERVER_GIT_PASSWORD: login.password,
  };
}
