import { endWithEngine } from "./watch";

// Takes effect as soon as it is loaded, so that a process that cannot load the rest also ends with its engine.
endWithEngine(process);
