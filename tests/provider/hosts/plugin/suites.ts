/**
 * Tests of the core that run with both hosts: in their own files with the dynamic host, and in a file of this folder
 * with the plugin. Paths in `tests/provider`, without their extensions.
 */
export const suites = {
  lifecycle: [
    "deployment/reconcile/create",
    "deployment/reconcile/update",
    "deployment/reconcile/delete",
    "deployment/reconcile/replace",
    "deployment/reconcile/failed-rollout",
    "deployment/reconcile/awaited",
    "deployment/reconcile/rollback-unverified",
    "deployment/reconcile/adopt",
    "deployment/reconcile/read",
    "deployment/reconcile/credentials",
    "core/own-connection",
    "deployment/reconcile/large-state",
  ],
  rollouts: [
    "deployment/reconcile/rollback",
    "deployment/reconcile/waiting",
    "deployment/reconcile/refresh-after-cut",
    "deployment/reconcile/two-steps",
    "deployment/reconcile/no-revision",
    "deployment/reconcile/unnamed-revision",
    "deployment/rollout/foreign-revisions",
    "deployment/rollout/verified",
    "deployment/rollout/verify",
    "control-plane/dialects/lifecycle",
  ],
  ownership: [
    "adopt",
    "core/location",
    "core/rename",
    "deployment/reconcile/agent-identity",
    "deployment/reconcile/held-name",
    "deployment/reconcile/lost-ownership",
    "deployment/reconcile/moved",
    "deployment/reconcile/ownership",
    "deployment/reconcile/race",
  ],
  interruptions: ["deployment/reconcile/fleet", "deployment/reconcile/in-time", "deployment/reconcile/kill"],
  values: [
    "core/other-kind",
    "core/refresh",
    "deployment/reconcile/environment",
    "deployment/reconcile/ordinary-values",
    "deployment/reconcile/placement",
    "deployment/reconcile/removal",
    "deployment/reconcile/settings",
  ],
  contents: [
    "assistant/kind",
    "assistant/python",
    "assistant/schemas",
    "cron/reconcile",
    "listener/kind",
    "run/kind",
    "store-item/reconcile",
    "store-items/reconcile",
    "thread/kind",
  ],
  runs: ["cron/replace", "run/reconcile"],
  evaluation: [
    "deployment/rollout/evaluation",
    "deployment/rollout/evaluation-kill",
    "deployment/rollout/judge",
  ],
  secrets: [
    "core/former-secrets",
    "core/secret-questions",
    "deployment/reconcile/foreign-revision",
    "deployment/reconcile/local-folder",
    "deployment/reconcile/lost-reply",
    "deployment/reconcile/server-choices",
    "deployment/reconcile/unreported",
  ],
};

/** Tests of the core that run only with the dynamic host, and the reasons. */
export const overDynamicHostOnly = {
  "core/check": "contains only tests of `customTimeouts`, which the engine parses for a plugin",
};
