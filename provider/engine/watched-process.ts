import { endWithEngine } from "./watch";

// Takes effect when this module is loaded, so that a process that cannot load the rest also exits with its engine.
endWithEngine(process);
