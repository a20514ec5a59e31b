/** The credential of an `Authorization` header: an access token, in whose place API keys are taken here. */
export function bearerIn(authorization: string | null | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
}
