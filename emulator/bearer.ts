/** Returns the credential of an `Authorization` header: an access token, or an API key used as a bearer token. */
export function bearerIn(authorization: string | null | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
}
