/** Returns the credential of an `Authorization` header: an access token, which may also be an API key here. */
export function bearerIn(authorization: string | null | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
}
