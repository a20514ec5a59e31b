import { element, isolated, keepInLine, setShown, setText } from "../dom.js";
import { localTime, ago } from "../time.js";
import { agentUrl } from "./agent-url.js";
import { deploymentActions } from "./deployment-actions.js";
import { statusOf } from "./deployment-list.js";
import { statusPill } from "./pill.js";
import { revisionActions } from "./revision-actions.js";

/** Creates the view of a deployment's name, state and settings. */
export function deploymentHead(tools) {
  const name = isolated();
  const pill = statusPill();
  const revisionButtons = revisionActions(tools);
  const actions = deploymentActions(tools);
  const url = agentUrl(tools);
  const secrets = element("ul", { class: "secrets" });
  const secretsFact = element("div", {}, element("dt", {}, "Secrets"), element("dd", {}, secrets));
  const fixed = new Map([
    ["URL", { root: url.root }],
    ["Secrets", { root: secretsFact }],
  ]);
  const facts = element("dl", { class: "facts" });
  const root = element(
    "header",
    { class: "head" },
    element(
      "div",
      { class: "head-line" },
      element("h2", {}, name),
      pill.root,
      revisionButtons.root,
      actions.root,
    ),
    facts,
  );
  return {
    root,
    update(seen) {
      const { selected, now } = seen;
      setText(name, selected.name);
      pill.update(statusOf(selected));
      revisionButtons.update(seen);
      actions.update(seen);
      url.update(selected);
      const shown = [["URL"], ...factsOf(selected, now), ["Secrets"]];
      keepInLine(
        facts,
        shown,
        ([title]) => title,
        (one) => fixed.get(one[0]) ?? fact(one),
      );
      setShown(secretsFact, selected.secrets.length > 0);
      keepInLine(
        secrets,
        selected.secrets.map((secret) => secret.name),
        (secret) => secret,
        (secret) => ({ root: isolated(secret, "li") }),
      );
    },
  };
}

function fact([title]) {
  const value = isolated();
  return {
    root: element("div", {}, element("dt", {}, title), element("dd", {}, value)),
    update: ([, text]) => setText(value, text),
  };
}

function factsOf(deployment, now) {
  const { source_config: config, source_revision_config: revised } = deployment;
  const created = Date.parse(deployment.created_at);
  return [
    ["Source", config.repo_url ?? revised.image_uri ?? deployment.source],
    ["Ref", revised.repo_ref],
    ["Configuration", revised.graph_config_path ?? revised.langgraph_config_path],
    ["Type", config.deployment_type],
    ["Created", `${localTime(created, now)} (${ago(created, now)})`],
    ["Id", deployment.url ? undefined : deployment.id],
  ].filter(([, text]) => text);
}
