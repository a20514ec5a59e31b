import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { getCACertificates, rootCertificates } from "node:tls";
import { AgentServerError } from "../errors";

const pemBlock = /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[^-]*-----END (?:TRUSTED )?CERTIFICATE-----/g;

/**
 * Returns the certificates in a PEM file, to be trusted in addition to the default certificates.
 * @param setting the setting that specifies the file
 * @throws AgentServerError `bad_configuration` if the file cannot be read, contains no certificate, or contains a
 * certificate that is not valid
 */
export function certificatesIn(file: string, setting: string): string[] {
  const path = resolve(file);
  const certificates = read(path, setting).match(pemBlock) ?? [];
  if (certificates.length === 0) throw unusable(path, setting, "contains no certificate in PEM format");
  for (const certificate of certificates)
    try {
      void new X509Certificate(certificate);
    } catch {
      throw unusable(path, setting, "contains a certificate that cannot be read");
    }
  return certificates;
}

/**
 * Returns the certificates that Node.js trusts by default, including `NODE_EXTRA_CA_CERTS` if Node.js reports it (22.15
 * and later).
 */
export function defaultCertificates(): readonly string[] {
  const listed = getCACertificates as typeof getCACertificates | undefined;
  return listed?.("default") ?? rootCertificates;
}

function read(path: string, setting: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? "unknown reason";
    throw unusable(path, setting, `cannot be read (${why})`);
  }
}

function unusable(path: string, setting: string, problem: string): AgentServerError {
  return new AgentServerError(
    "bad_configuration",
    `The certificate file ${path} ${problem}. Set ${setting} to a PEM file with the CA's certificate, or remove the setting.`,
  );
}
