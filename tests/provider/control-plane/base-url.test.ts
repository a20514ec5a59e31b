import { fc } from "../../properties";
import { controlPlaneUrl, isCloudHost } from "../../../provider/control-plane/base-url";

const setting = "agentserver:baseUrl (AGENTSERVER_BASE_URL)";

test.each([
  ["https://host.example.com", "https://host.example.com/api-host"],
  ["https://host.example.com/", "https://host.example.com/api-host"],
  ["https://host.example.com/api-host", "https://host.example.com/api-host"],
  ["https://host.example.com/api-host//", "https://host.example.com/api-host"],
  ["https://host.example.com/api", "https://host.example.com/api-host"],
  ["https://host.example.com/api/v1", "https://host.example.com/api-host"],
  ["https://host.example.com/tools/agents", "https://host.example.com/tools/agents/api-host"],
  ["http://127.0.0.1:8123", "http://127.0.0.1:8123/api-host"],
])("expands the self-hosted address %s to %s", (given, url) => {
  expect(controlPlaneUrl(given, setting)).toBe(url);
});

test.each([
  ["https://api.host.langchain.com", "https://api.host.langchain.com"],
  ["https://eu.api.host.langchain.com/", "https://eu.api.host.langchain.com"],
])("does not add a prefix to the cloud address %s", (given, url) => {
  expect(controlPlaneUrl(given, setting)).toBe(url);
});

test("treats a host that only resembles the cloud's as self-hosted", () => {
  expect(isCloudHost("api.host.langchain.com.example.com")).toBe(false);
  expect(isCloudHost("notapi.host.langchain.com")).toBe(false);
});

test.each([
  ["host.example.com", "is not a URL"],
  ["ftp://host.example.com", "must start with https:// or http://"],
  ["https://me:pass-canary@host.example.com", "must not contain a user name or password"],
  ["https://host.example.com?x=1", "must not have a query or a fragment"],
  ["https://host.example.com/api-host/v2", "must not include the version"],
  ["https://host.example.com/api-host/v2/deployments", "must not include the version"],
  ["https://host.example.com/v1", "must not include the version"],
])("rejects %s: %s", (given, reason) => {
  const refuse = () => controlPlaneUrl(given, setting);
  expect(refuse).toThrow(`The control plane's address ${reason}`);
  expect(refuse).toThrow(`Set ${setting} to`);
  expect(refuse).not.toThrow("pass-canary");
});

test("does not change an address that has already been expanded", () => {
  fc.assert(
    fc.property(
      fc.webUrl({ validSchemes: ["http", "https"] }),
      fc.constantFrom("", "/", "/api-host"),
      (url, end) => {
        fc.pre(!/\/v[12](\/|$)/.test(new URL(url).pathname));
        const once = controlPlaneUrl(url.replace(/\/+$/, "") + end, setting);
        expect(controlPlaneUrl(once, setting)).toBe(once);
        expect(once.match(/\/api-host$/g)).toHaveLength(1);
      },
    ),
  );
});
