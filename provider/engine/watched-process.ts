import { endWithEngine } from "./watch";

// Takes effect as soon as it is loaded, so that a process that cannot load the rest also exits with its engine.
endWithEngine(process);
