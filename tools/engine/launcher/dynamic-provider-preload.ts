import { isMainThread } from "node:worker_threads";
import { endWithEngine } from "../../../provider/engine/watch";

// Worker threads load this file too, and have a standard input of their own.
if (isMainThread) endWithEngine(process);
