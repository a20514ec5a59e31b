import tls from "node:tls";
import { Network } from "../../../provider/http/network";

function trusted(certificates?: string[]): unknown {
  const { axios } = new Network(undefined, certificates).routeTo("https://plane.example", "control plane");
  return (axios.httpsAgent as { options: { ca?: unknown } }).options.ca;
}

test("certificates of one's own are trusted next to all that Node trusts by itself", () => {
  const byDefault = tls.getCACertificates("default");
  expect(byDefault.length).toBeGreaterThan(0);
  expect(trusted(["own"])).toEqual([...byDefault, "own"]);
  expect(trusted()).toBeUndefined();
});

test("where Node does not tell what it trusts, its own roots stay trusted", () => {
  const { getCACertificates } = tls;
  Object.assign(tls, { getCACertificates: undefined });
  try {
    expect(trusted(["own"])).toEqual([...tls.rootCertificates, "own"]);
  } finally {
    Object.assign(tls, { getCACertificates });
  }
});
