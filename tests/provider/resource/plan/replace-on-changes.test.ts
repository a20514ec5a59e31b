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
  [["context.list[10].key"], "context.list.10.key", true],
  [["context.list[10].key"], "context.list.1.key", false],
  [["context.list[*].key"], "context.list.10.key", true],
  [['context["a.b]"].key'], "context.a", false],
  [["name", "agent"], "agent", true],
  [["repoUrl"], "sourceConfig.repoUrl", false],
  [[], "name", false],
])(
  "determines whether replaceOnChanges %j replaces a resource if %s changes: %s",
  (paths, changed, expected) => {
    expect(replacesOn(paths)(changed)).toBe(expected);
  },
);
