import { runOverPlugin } from "./plugin-provider";

runOverPlugin([
  "assistant/kind",
  "cron/reconcile",
  "listener/kind",
  "run/kind",
  "store-item/reconcile",
  "thread/kind",
]);
