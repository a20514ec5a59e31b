import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { getCACertificates, rootCertificates } from "node:tls";
import { AgentServerError } from "../errors";

const pemBlock = /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[^-]*-----END (?:TRUSTED )?CERTIFICATE-----/g;

/**
 * The certificates in a PEM file, to be trusted besides the default ones.
 * @throws AgentServerError `bad_configuration` when the file cannot be read or holds anything else
 */
export function certificatesIn(file: string): string[] {
  const path = resolve(file);
  const certificates = read(path).match(pemBlock) ?? [];
  if (certificates.length === 0) throw unusable(path, "holds no certificate in PEM format");
  for (const certificate of certificates)
    try {
      void new X509Certificate(certificate);
    } catch {
      throw unusable(path, "holds a certificate that cannot be read");
    }
  return certificates;
}

/** What Node trusts by itself, with `NODE_EXTRA_CA_CERTS` where Node reports it (from 22.15 on). */
export function defaultCertificates(): readonly string[] {
  const listed = getCACertificates as typeof getCACertificates | undefined;
  return listed?.("default") ?? rootCertificates;
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw unusable(path, `cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown reason"})`);
  }
}

function unusable(path: string, problem: string): AgentServerError {
  return new AgentServerError(
    "bad_configuration",
    `The file of trusted certificates ${path} ${problem}. Set agentserver:caFile (AGENTSERVER_CA_FILE) to a PEM file with the certificate of the CA, or remove the setting.`,
  );
}
