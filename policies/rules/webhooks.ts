import { inAllStacks, resourcePolicy } from "../pack/record";
import { texts } from "../pack/settings";
import { matches } from "../resource/pattern";

export const webhooks = resourcePolicy(["Cron"], {
  name: "webhooks",
  text: "What runs have come to is reported over https, to hosts that are on a list.",
  severity: "high",
  enforcement: "mandatory",
  settings: {
    ...inAllStacks,
    hosts: texts("Patterns of hosts, such as `hooks.example.com`; none: all are allowed."),
  },
  *check(resource, { hosts }) {
    yield resource.judge("webhook", (address) => {
      // A path is one of the agent server itself.
      if (typeof address !== "string" || address.startsWith("/")) return undefined;
      const url = URL.canParse(address) ? new URL(address) : undefined;
      if (url?.protocol !== "https:")
        return { problem: "is not an address that begins with https://", fix: "Use https://." };
      if (hosts.length === 0 || matches(url.host, hosts)) return undefined;
      return { problem: "is not on the list", fix: `Use one of ${hosts.join(", ")}.` };
    });
  },
});
