import { runOverPlugin } from "./plugin-provider";

runOverPlugin([
  "core/secret-questions",
  "deployment/reconcile/foreign-revision",
  "deployment/reconcile/local-folder",
  "deployment/reconcile/lost-reply",
  "deployment/reconcile/server-choices",
  "deployment/reconcile/unreported",
]);
