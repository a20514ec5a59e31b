import tls from "node:tls";
import { Network } from "../../../provider/http/network";

function trusted(certificates?: string[]): unknown {
  const { axios } = new Network(undefined, certificates).routeTo("https://plane.example", "control plane");
  return (axios.httpsAgent as { options: { ca?: unknown } }).options.ca;
}

test("trusts configured certificates in addition to those that Node.js trusts by default", () => {
  const byDefault = tls.getCACertificates("default");
  expect(byDefault.length).toBeGreaterThan(0);
  expect(trusted(["own"])).toEqual([...byDefault, "own"]);
  expect(trusted()).toBeUndefined();
});

test("trusts the root certificates built into Node.js if Node.js does not report its default CAs", () => {
  const { getCACertificates } = tls;
  Object.assign(tls, { getCACertificates: undefined });
  try {
    expect(trusted(["own"])).toEqual([...tls.rootCertificates, "own"]);
  } finally {
    Object.assign(tls, { getCACertificates });
  }
});
