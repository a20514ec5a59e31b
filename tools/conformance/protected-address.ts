/** True if a key can be sent safely to an address, because it uses TLS or is on this machine. */
export function isProtected(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
}
