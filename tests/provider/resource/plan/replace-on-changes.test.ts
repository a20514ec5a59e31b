import { replacesOn } from "../../../../provider/resource/plan/replace-on-changes";

test.each<[string[], string, boolean]>([
  [["sourceConfig.repoUrl"], "sourceConfig.repoUrl", true],
  [["sourceConfig.repoUrl"], "sourceConfig.buildOnPush", false],
  [["sourceConfig"], "sourceConfig.buildOnPush", true],
  [["sourceConfig.listenerConfig.k8sNamespace"], "sourceConfig.listenerConfig", true],
  [["sourceConfig.*"], "sourceConfig.buildOnPush", true],
  [["*"], "displayName", true],
  [['secrets["MODEL_KEY"]'], "secrets.MODEL_KEY", true],
  [["rollout.triggers[0]"], "rollout.triggers", true],
  [["name", "agent"], "agent", true],
  [["repoUrl"], "sourceConfig.repoUrl", false],
  [[], "name", false],
])("decides whether %j, %s replaces: %s", (paths, changed, expected) => {
  expect(replacesOn(paths)(changed)).toBe(expected);
});
