import { proxyFor } from "../../../provider/http/proxy";

const proxy = "http://proxy.example.com:3128";

function goesThrough(address: string, bypass: string): boolean {
  return proxyFor(address, "control plane", { http: proxy, https: proxy, bypass }) !== undefined;
}

test.each([
  ["https://host.example.com", "host.example.com"],
  ["https://host.example.com", "HOST.example.COM"],
  ["https://host.example.com", "example.com"],
  ["https://host.example.com", ".example.com"],
  ["https://host.example.com", "*.example.com"],
  ["https://host.example.com", "host.example.com:443"],
  ["http://host.example.com", "host.example.com:80"],
  ["https://host.example.com:8443", "host.example.com:8443"],
  ["https://host.example.com", "a.test b.test,\texample.com"],
  ["https://host.example.com", "*"],
  ["https://10.1.2.3", "10.1.2.3"],
  ["https://10.1.2.3", "10.0.0.0/8"],
  ["https://10.1.2.3:8443", "10.1.2.3:8443"],
  ["https://[fd00::1]", "fd00::1"],
  ["https://[fd00::1]:8443", "[fd00::1]:8443"],
  ["https://[fd00::1]", "fd00::/8"],
  ["http://localhost:8080", ""],
  ["http://127.0.0.2", ""],
  ["http://[::1]", ""],
])("connects to %s directly with NO_PROXY=%s", (address, bypass) => {
  expect(goesThrough(address, bypass)).toBe(false);
});

test.each([
  ["https://host.example.com", ""],
  ["https://host.example.com", "ost.example.com"],
  ["https://example.com", ".example.com"],
  ["https://example.com", "host.example.com"],
  ["https://host.example.com", "host.example.com:8443"],
  ["https://host.example.com", "10.0.0.0/8"],
  ["https://10.1.2.3", "11.0.0.0/8"],
  ["https://10.1.2.3", "10.0.0.0/99"],
  ["https://10.1.2.3", "10.1.2.30,1.2.3"],
  ["https://10.1.2.3", "10.1.2.3:8443"],
  ["https://[fd00::1]", "10.0.0.0/8"],
  ["https://[fd00::1]", "fe00::/8"],
])("connects to %s through the proxy with NO_PROXY=%s", (address, bypass) => {
  expect(goesThrough(address, bypass)).toBe(true);
});

test.each(["control plane", "agent server"])(
  "suggests excluding the host of the %s if a proxy setting is invalid",
  (service) => {
    expect(() => proxyFor("https://host.example.com", service, { https: "socks5://proxy:1080" })).toThrow(
      `set it to something like http://proxy.example.com:3128, or list the ${service}'s host in NO_PROXY.`,
    );
  },
);
