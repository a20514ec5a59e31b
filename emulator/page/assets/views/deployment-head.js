import { element, isolated, keepInLine, setShown, setText } from "../dom.js";
import { localTime, ago } from "../time.js";
import { agentUrl } from "./agent-url.js";
import { deploymentActions } from "./deployment-actions.js";
import { statusOf } from "./deployment-list.js";
import { statusPill } from "./pill.js";
import { revisionActions } from "./revision-actions.js";

/** Creates the view of a deployment's name, state, and settings. */
export function deploymentHead(tools) {
  const name = isolated();
  const pill = statusPill();
  const revisionButtons = revisionActions(tools);
  const actions = deploymentActions(tools);
  const url = agentUrl(tools);
  const variables = listFact("Variables", ({ name, value }) => `${name}=${value}`);
  const secrets = listFact("Secrets", ({ name }) => name);
  const fixed = new Map([
    ["URL", { root: url.root }],
    ["Variables", { root: variables.root }],
    ["Secrets", { root: secrets.root }],
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
      const shown = [["URL"], ...factsOf(selected, now), ["Variables"], ["Secrets"]];
      keepInLine(
        facts,
        shown,
        ([title]) => title,
        (one) => fixed.get(one[0]) ?? fact(one),
      );
      variables.update(selected.variables);
      secrets.update(selected.secrets);
    },
  };
}

/** Creates a fact whose value is a list. It is hidden while the list is empty. */
function listFact(title, textOf) {
  const list = element("ul", { class: "chips", "aria-label": title });
  const root = element("div", {}, element("dt", {}, title), element("dd", {}, list));
  return {
    root,
    update(items) {
      setShown(root, items.length > 0);
      keepInLine(
        list,
        items.map(textOf),
        (text) => text,
        (text) => ({ root: isolated(text, "li") }),
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
    ["Owner", deployment.owner],
    ["Created", `${localTime(created, now)} (${ago(created, now)})`],
    ["Id", deployment.url ? undefined : deployment.id],
  ].filter(([, text]) => text);
}
