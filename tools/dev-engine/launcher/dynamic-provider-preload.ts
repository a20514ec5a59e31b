import { isMainThread } from "node:worker_threads";
import { endWithEngine } from "../../../provider/engine/watch";
import { deferArborist } from "../lazy-arborist";

// Worker threads also load this file, but have a separate standard input.
if (isMainThread) endWithEngine(process);
deferArborist();
