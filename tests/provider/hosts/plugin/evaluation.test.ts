import { runOverPlugin } from "./plugin-provider";

runOverPlugin([
  "deployment/rollout/evaluation",
  "deployment/rollout/evaluation-kill",
  "deployment/rollout/judge",
]);
