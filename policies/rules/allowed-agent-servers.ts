import { inAllStacks, resourcePolicy } from "../pack/record";
import { texts } from "../pack/settings";
import { contentKinds } from "../resource/kinds";
import { matches } from "../resource/pattern";

const localHosts = ["localhost", "127.0.0.1", "[::1]"];

export const allowedAgentServers = resourcePolicy(contentKinds, {
  name: "allowed-agent-servers",
  text: "Agent servers that are specified by URL must use HTTPS and allowed hosts.",
  severity: "high",
  enforcement: "mandatory",
  settings: {
    ...inAllStacks,
    hosts: texts("Patterns for allowed hosts, such as `agents.example.com`. If empty, all are allowed."),
  },
  *check(resource, { hosts }) {
    yield resource.judge("connection.url", (url) => {
      if (typeof url !== "string") return undefined;
      const { protocol, hostname, host } = URL.canParse(url)
        ? new URL(url)
        : { protocol: "", hostname: "", host: "" };
      if (protocol !== "https:" && !localHosts.includes(hostname))
        return {
          problem: "is not a URL that starts with https://",
          fix: "Use https://, so that the key and the responses are encrypted in transit.",
        };
      if (hosts.length === 0 || matches(host, hosts)) return undefined;
      return { problem: "is not an allowed host", fix: `Use one of ${hosts.join(", ")}.` };
    });
  },
});
