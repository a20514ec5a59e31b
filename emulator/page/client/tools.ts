import { createContext } from "preact";
import { useContext, useLayoutEffect, useRef } from "preact/hooks";
import type { Observation, Observer } from "./data/observer";
import type { Plane } from "./data/plane";
import type { Place } from "./data/route";
import type { Session } from "./data/types";

/** Reads data that only one view shows. */
export type Poll = (seen: Observation) => Promise<void>;

/** Objects that all views use. */
export interface Tools {
  session: Session;
  plane: Plane;
  observer: Observer;
  /** Executes a user action, shows its result, and reads everything again. */
  act: (done: string, action: () => Promise<unknown>) => Promise<void>;
  /** Reads all data of the web console again. */
  refresh: () => void;
  /** Polls of the views. Each is called after the shared data was read, while its view is shown. */
  polls: Set<{ place: Place; poll: Poll }>;
}

export const ToolsContext = createContext<Tools | undefined>(undefined);

export function useTools(): Tools {
  const tools = useContext(ToolsContext);
  if (!tools) throw new Error("a view is outside the console");
  return tools;
}

/** Calls `poll` whenever the web console reads its data, while the view at `place` is shown. */
export function usePoll(place: Place, poll: Poll): void {
  const { polls, refresh } = useTools();
  const latest = useRef(poll);
  latest.current = poll;
  useLayoutEffect(() => {
    const entry = { place, poll: (seen: Observation) => latest.current(seen) };
    polls.add(entry);
    refresh();
    return () => void polls.delete(entry);
  }, [polls, refresh, place]);
}
