import { inAllStacks, resourcePolicy } from "../pack/record";
import { texts } from "../pack/settings";
import { matches } from "../resource/pattern";

export const webhooks = resourcePolicy(["Cron"], {
  name: "webhooks",
  text: "Webhooks must use HTTPS and allowed hosts.",
  severity: "high",
  enforcement: "mandatory",
  settings: {
    ...inAllStacks,
    hosts: texts("Patterns for allowed hosts, such as `hooks.example.com`. If empty, all are allowed."),
  },
  *check(resource, { hosts }) {
    yield resource.judge("webhook", (address) => {
      if (typeof address !== "string" || isOwnPath(address)) return undefined;
      const url = URL.canParse(address) ? new URL(address) : undefined;
      if (url?.protocol !== "https:")
        return { problem: "is not a URL that starts with https://", fix: "Use https://." };
      if (hosts.length === 0 || matches(url.host, hosts)) return undefined;
      return { problem: "is not an allowed host", fix: `Use one of ${hosts.join(", ")}.` };
    });
  },
});

/**
 * True if an address is a path on the agent server itself. A client would interpret `//host` and `/\host`, even after
 * `..`, as the address of another host.
 */
function isOwnPath(address: string): boolean {
  const base = "https://agent.invalid";
  if (!address.startsWith("/") || !URL.canParse(address, base)) return false;
  const { origin, pathname } = new URL(address, base);
  return origin === base && !pathname.startsWith("//");
}
