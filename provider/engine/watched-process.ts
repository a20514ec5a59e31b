import { endWithEngine } from "./watch";

// Of effect as soon as it is loaded, so that a process that cannot load the rest ends with its engine as well.
endWithEngine(process);
