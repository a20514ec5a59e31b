import { createRequire } from "node:module";
import { shippedScript } from "./package-folder";

interface Marking {
  killMarked: (mark: string, spare?: number) => void;
  markName: string;
}

/** How the processes of an agent are told from others, see `agent-server/marked.cjs`. */
export function marking(): Marking {
  const script = shippedScript("marked.cjs");
  return createRequire(script)(script) as Marking;
}
