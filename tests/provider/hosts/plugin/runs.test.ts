import { runOverPlugin } from "./plugin-provider";
import { suites } from "./suites";

runOverPlugin(suites.runs);
