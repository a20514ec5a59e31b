import { generateKeyPairSync } from "node:crypto";
import forge from "node-forge";

/** A key and its certificate in PEM. */
export interface Identity {
  key: string;
  cert: string;
}

let serial = 1;
const keys: Partial<Record<"authority" | "server", forge.pki.rsa.KeyPair>> = {};

/** Making keys takes long, so all authorities share one, and all servers another. */
function keysOf(whose: "authority" | "server"): forge.pki.rsa.KeyPair {
  return (keys[whose] ??= freshKeys());
}

function freshKeys(): forge.pki.rsa.KeyPair {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = forge.pki.privateKeyFromPem(privateKey.export({ type: "pkcs1", format: "pem" }) as string);
  return { privateKey: key, publicKey: forge.pki.setRsaPublicKey(key.n, key.e) };
}

/** A CA of one's own. */
export function authority(): Identity {
  return sign({ name: "Test CA", ca: true });
}

/** A server's identity for these host names, signed by a CA or, without one, by itself. */
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
  const keys = keysOf(wanted.ca ? "authority" : "server");
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = keys.publicKey;
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
    ...(wanted.hosts
      ? [{ name: "subjectAltName", altNames: wanted.hosts.map((value) => ({ type: 2, value })) }]
      : []),
  ]);
  certificate.sign(
    wanted.by ? forge.pki.privateKeyFromPem(wanted.by.key) : keys.privateKey,
    forge.md.sha256.create(),
  );
  return { key: forge.pki.privateKeyToPem(keys.privateKey), cert: forge.pki.certificateToPem(certificate) };
}
