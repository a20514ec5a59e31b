import { runOverPlugin } from "./plugin-provider";

runOverPlugin(["cron/reconcile", "listener/kind", "run/kind", "store-item/reconcile", "thread/kind"]);
