import { runOverPlugin } from "./plugin-provider";

runOverPlugin([
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
]);
