import { generateKeyPairSync, sign as signBytes, type KeyPairSyncResult } from "node:crypto";
import { isIP } from "node:net";
import forge from "node-forge";

/** A key and its certificate in PEM format. */
export interface Identity {
  key: string;
  cert: string;
}

let serial = 1;
const keys: Partial<Record<"authority" | "server", KeyPairSyncResult<string, string>>> = {};

/**
 * Returns a shared key pair. All authorities share one key pair, and all servers share another, because generating keys
 * is slow.
 */
function keysOf(whose: "authority" | "server"): KeyPairSyncResult<string, string> {
  return (keys[whose] ??= generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  }));
}

/** Creates a private CA. */
export function authority(): Identity {
  return sign({ name: "Test CA", ca: true });
}

/** Creates a server certificate for these host names, signed by a CA or self-signed. */
export function identity(hosts: string[], options: { by?: Identity; expired?: boolean } = {}): Identity {
  return sign({ name: hosts[0]!, hosts, ...options });
}

function sign(wanted: {
  name: string;
  hosts?: string[];
  ca?: boolean;
  by?: Identity;
  expired?: boolean;
}): Identity {
  const { privateKey, publicKey } = keysOf(wanted.ca ? "authority" : "server");
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  certificate.serialNumber = String(serial++).padStart(2, "0");
  const year = wanted.expired ? 2001 : new Date().getFullYear();
  certificate.validity.notBefore = new Date(Date.UTC(year - 1, 0, 1));
  certificate.validity.notAfter = new Date(Date.UTC(year + 1, 11, 31));
  const subject = [{ name: "commonName", value: wanted.name }];
  certificate.setSubject(subject);
  const issuer = wanted.by && forge.pki.certificateFromPem(wanted.by.cert);
  certificate.setIssuer(issuer ? issuer.subject.attributes : subject);
  certificate.setExtensions([
    { name: "basicConstraints", cA: wanted.ca ?? false },
    ...(wanted.hosts ? [{ name: "subjectAltName", altNames: wanted.hosts.map(altName) }] : []),
  ]);
  const signer = {
    // Node signs a hundred times as fast as the library.
    sign: () => {
      const bytes = forge.asn1.toDer(certificate.tbsCertificate).getBytes();
      return signBytes("sha256", Buffer.from(bytes, "binary"), wanted.by?.key ?? privateKey).toString(
        "binary",
      );
    },
  };
  certificate.sign(signer as unknown as forge.pki.rsa.PrivateKey, forge.md.sha256.create());
  return { key: privateKey, cert: forge.pki.certificateToPem(certificate) };
}

/** Returns the entry for a host in a certificate: a name or an address. */
function altName(host: string) {
  return isIP(host) ? { type: 7, ip: host } : { type: 2, value: host };
}
